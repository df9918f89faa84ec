interface Notice {
  readonly title: string
  readonly message?: string
  /** The error of a failed action. */
  readonly error?: unknown
}

/** Shows a notification that belongs to no position on the page. */
export async function notify({ title, message, error }: Notice): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  const reason = error instanceof Error ? error.message : undefined
  notifications.show({ title, message: message ?? reason, color: error === undefined ? 'cobalt' : 'red' })
}

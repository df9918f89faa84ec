interface Notice {
  readonly title: string
  readonly message?: string
  /** What went wrong, when something did. */
  readonly error?: unknown
}

/** Tells the person something that belongs to no place on the page. */
export async function notify({ title, message, error }: Notice): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  const reason = error instanceof Error ? error.message : undefined
  notifications.show({ title, message: message ?? reason, color: error === undefined ? 'cobalt' : 'red' })
}

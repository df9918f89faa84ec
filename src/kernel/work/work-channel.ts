/** The channel of messages from queues to workers. A lost message costs at most one poll interval. */
export const workChannel = 'kernel_work'

export type WorkMessage =
  | { readonly kind: 'wake'; readonly queue: string; readonly delayMs: number }
  | {
      readonly kind: 'cancel'
      readonly queue: string
      readonly key: string
      /** The new fence of the row; claims with a lower one are cancelled. */
      readonly fence: number
    }

export function writeMessage(message: WorkMessage): string {
  return JSON.stringify(message)
}

/** Undefined for an unknown message of another version. */
export function readMessage(payload: string): WorkMessage | undefined {
  const message = JSON.parse(payload) as WorkMessage
  return message.kind === 'wake' || message.kind === 'cancel' ? message : undefined
}

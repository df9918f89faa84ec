/** Where queues and workers tell each other of news. Losing a message costs at most one poll interval. */
export const workChannel = 'kernel_work'

export type WorkMessage =
  | { readonly kind: 'wake'; readonly queue: string; readonly delayMs: number }
  | {
      readonly kind: 'cancel'
      readonly queue: string
      readonly key: string
      /** The fence the row got; claims below it are the ones meant. */
      readonly fence: number
    }

export function writeMessage(message: WorkMessage): string {
  return JSON.stringify(message)
}

/** Undefined for what another version may have sent. */
export function readMessage(payload: string): WorkMessage | undefined {
  const message = JSON.parse(payload) as WorkMessage
  return message.kind === 'wake' || message.kind === 'cancel' ? message : undefined
}

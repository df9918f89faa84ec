/** The tool calls that are running in this process, by session and request id. */
export interface RunningCalls {
  /** Registers a call; the signal aborts when the client cancels it. */
  begin(session: string, requestId: string | number): Disposable & { readonly signal: AbortSignal }
  /** Cancels a call, if it is running in this process. */
  cancel(session: string, requestId: unknown): void
}

/**
 * Up to the 2025 revision of the protocol, a client cancels a call with a message in a separate request, so running calls
 * are registered here. From 2026 on a client cancels by disconnecting.
 */
export function createRunningCalls(): RunningCalls {
  const running = new Map<string, AbortController>()
  return {
    begin(session, requestId) {
      const key = keyOf(session, requestId)
      const call = new AbortController()
      running.set(key, call)
      return {
        signal: call.signal,
        [Symbol.dispose]() {
          if (running.get(key) === call) running.delete(key)
        },
      }
    },
    cancel(session, requestId) {
      running.get(keyOf(session, requestId))?.abort()
    },
  }
}

function keyOf(session: string, requestId: unknown): string {
  return JSON.stringify([session, requestId])
}

/** Calls that are under way in this process, by who called and under which number. */
export interface RunningCalls {
  /** Takes note of a call; the signal aborts when its caller cancels it. */
  begin(session: string, requestId: string | number): Disposable & { readonly signal: AbortSignal }
  /** Cancels a call, if it is one of this process. */
  cancel(session: string, requestId: unknown): void
}

/**
 * Until the revision of 2025, a client cancels a call with a message of its own, which comes as another request. Nothing is kept between
 * requests, so the two meet here. From 2026 on a client cancels by hanging up.
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

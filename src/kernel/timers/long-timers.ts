/** The maximum delay of a Node.js timer. A timer with a longer delay fires at once. */
const maxTimerMs = 2_147_483_647

/**
 * Calls back once after a delay of any length; disposing cancels the timer. For delays from a caller, a setting or a remote response.
 * Does not throw.
 */
export function startTimer(callback: () => void, delayMs: number): Disposable {
  const endsAtMs = performance.now() + delayMs
  let timer: NodeJS.Timeout
  const arm = (): void => {
    const leftMs = endsAtMs - performance.now()
    timer = leftMs > maxTimerMs ? setTimeout(arm, maxTimerMs) : setTimeout(callback, leftMs)
  }
  arm()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Waits for a delay of any length. Rejects with the signal's reason when the signal aborts first. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const rejectOnAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', rejectOnAbort, { once: true })
  const timer = startTimer(resolve, delayMs)
  try {
    await promise
  } finally {
    timer[Symbol.dispose]()
    signal.removeEventListener('abort', rejectOnAbort)
  }
}

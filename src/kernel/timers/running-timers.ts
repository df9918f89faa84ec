const ticks = 10

/**
 * Calls back once after a delay of running time; disposing cancels the timer. A time in which the process did not run counts as one tenth of
 * the delay at most: after it, a response that waits in its socket is read before the delay is over. Does not throw.
 */
export function startRunningTimer(callback: () => void, delayMs: number): Disposable {
  let left = ticks
  const timer = setInterval(
    () => {
      left -= 1
      if (left > 0) return
      clearInterval(timer)
      callback()
    },
    Math.ceil(delayMs / ticks),
  )
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

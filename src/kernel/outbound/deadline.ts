import { startTimer } from '#kernel/timers'
import { outboundFailure } from './errors.ts'

/** One signal for everything that ends a request early: its time is over or the caller gave up. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Waits for work that cannot be cancelled itself, such as a look-up, but no longer than the deadline. */
  race<Value>(work: Promise<Value>): Promise<Value>
}

/** Starts the clock. Throws the caller's reason when it gave up before the start. */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  callerSignal?.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const followCaller = (): void => controller.abort(callerSignal?.reason)
  callerSignal?.addEventListener('abort', followCaller, { once: true })
  const timer = startTimer(() => controller.abort(outboundFailure('outbound_timeout')), timeoutMs)
  const release = (): void => {
    timer[Symbol.dispose]()
    callerSignal?.removeEventListener('abort', followCaller)
  }
  return {
    signal,
    async race(work) {
      signal.throwIfAborted()
      const { promise: ended, reject } = Promise.withResolvers<never>()
      const give = (): void => reject(signal.reason)
      signal.addEventListener('abort', give, { once: true })
      try {
        return await Promise.race([work, ended])
      } finally {
        signal.removeEventListener('abort', give)
        // What comes after nobody waits any more must not end the process.
        work.catch(() => {})
      }
    },
    [Symbol.dispose]: release,
  }
}

import { startTimer } from '#kernel/timers'
import { outboundFailure } from './errors.ts'

/** One signal for everything that ends a request early: its timeout or the caller's signal. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Waits for work that cannot be cancelled, such as a lookup, until the deadline at most. Rejects with the signal's reason. */
  race<Value>(work: Promise<Value>): Promise<Value>
}

/** Starts the deadline. Throws the reason of the caller's signal when it is already aborted. */
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
      const rejectOnAbort = (): void => reject(signal.reason)
      signal.addEventListener('abort', rejectOnAbort, { once: true })
      try {
        return await Promise.race([work, ended])
      } finally {
        signal.removeEventListener('abort', rejectOnAbort)
        // A rejection after the deadline must not end the process.
        work.catch(() => {})
      }
    },
    [Symbol.dispose]: release,
  }
}

import { ProviderFailure } from './provider-failure.ts'

export interface TimeoutLimits {
  /** The timeout of the first part. */
  readonly firstPartMs: number
  /** The timeout between two chunks after the first part. */
  readonly stallMs: number
}

/** The timeout of one response. Disposing it aborts its signal. */
export interface ResponseTimeout extends Disposable {
  /** Aborts with a ProviderFailure after a timeout, and with the reason of the caller's signal. */
  readonly signal: AbortSignal
  /** Restarts the timeout when bytes arrive. */
  onActivity(): void
  /** Ends the timeout of the first part. */
  onFirstPart(): void
  /** After the first part, only the time spent waiting for the provider counts, not the time the caller needs. */
  waitFor<Result>(waiting: Promise<Result>): Promise<Result>
}

/** Without a reason, every response would create an error with a stack that has no reader. */
const disposed = new Error('the response is complete')

export function createResponseTimeout(
  label: string,
  { firstPartMs, stallMs }: TimeoutLimits,
  signal: AbortSignal,
): ResponseTimeout {
  // One controller instead of `AbortSignal.any`, which costs more than the rest of this function.
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const start = (ms: number, message: string) => {
    stop()
    timer = setTimeout(() => controller.abort(new ProviderFailure({ kind: 'timeout', message })), ms)
  }
  start(firstPartMs, `${label} did not start to respond within ${firstPartMs / 1000} s.`)
  return {
    signal: controller.signal,
    onActivity() {
      if (hasBegun) timer?.refresh()
    },
    onFirstPart() {
      if (!hasBegun) stop()
      hasBegun = true
    },
    async waitFor(waiting) {
      if (hasBegun)
        start(stallMs, `${label} sent nothing for ${stallMs / 1000} s in the middle of the response.`)
      try {
        return await waiting
      } finally {
        if (hasBegun) stop()
      }
    },
    [Symbol.dispose]() {
      stop()
      signal.removeEventListener('abort', onAbort)
      controller.abort(disposed)
    },
  }
}

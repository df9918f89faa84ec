import { ProviderFailure } from './provider-failure.ts'

export interface PatienceLimits {
  /** How long an answer may take to begin. */
  readonly firstPartMs: number
  /** How long it may then stand still. */
  readonly stallMs: number
}

/** How long one answer is waited for. Disposing it ends whatever its signal was given to. */
export interface Patience extends Disposable {
  /** Aborted with a ProviderFailure when it took too long, and with the caller's own reason when the caller left. */
  readonly signal: AbortSignal
  /** Something came, if only a sign of life. */
  heard(): void
  /** The first part is there. */
  begun(): void
  /** Once begun, time counts only while we wait for the provider, not while the caller is busy with what it got. */
  during<Result>(waiting: Promise<Result>): Promise<Result>
}

export function createPatience(
  who: string,
  { firstPartMs, stallMs }: PatienceLimits,
  signal: AbortSignal,
): Patience {
  const over = new AbortController()
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const start = (ms: number, message: string) => {
    stop()
    timer = setTimeout(() => over.abort(new ProviderFailure({ kind: 'timeout', message })), ms)
  }
  start(firstPartMs, `${who} did not begin to answer within ${firstPartMs / 1000} s.`)
  return {
    signal: AbortSignal.any([signal, over.signal]),
    heard() {
      if (hasBegun) timer?.refresh()
    },
    begun() {
      if (!hasBegun) stop()
      hasBegun = true
    },
    async during(waiting) {
      if (hasBegun) start(stallMs, `${who} stopped in the middle of the answer for ${stallMs / 1000} s.`)
      try {
        return await waiting
      } finally {
        if (hasBegun) stop()
      }
    },
    [Symbol.dispose]() {
      stop()
      over.abort()
    },
  }
}

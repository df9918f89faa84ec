import type { Failure } from '#kernel/errors'
import { countKeyRequest, isModelAllowed, type Principal } from '#kernel/http'
import type { Limiter, LimitRule, Taken } from '#kernel/limits'
import { clusterFailure } from '../errors.ts'
import { canonicalModelName } from '../nodes/model-name.ts'

/** Applies the limits of platform API keys to requests for models of the cluster. */
export interface KeyLimitCheck {
  /** Whether the key of the caller allows the model. */
  allows(caller: Principal, model: string): boolean
  /**
   * Checks the model and counts the request. Undefined when the caller has no limits, so that most requests wait for nothing. Resolves with
   * the reason to refuse the request, if there is one. Rejects when the request cannot be counted.
   */
  check(caller: Principal, model: string): Promise<Failure | undefined> | undefined
}

function allows({ limits }: Principal, model: string): boolean {
  return isModelAllowed(limits, { provider: 'ollama', id: canonicalModelName(model) })
}

export function createKeyLimitCheck(limiter: Pick<Limiter, 'take'>): KeyLimitCheck {
  async function check(caller: Principal, model: string): Promise<Failure | undefined> {
    if (!allows(caller, model)) {
      return clusterFailure('model_not_allowed', {
        message: `This API key does not allow the model '${model}'. GET /v1/models lists the models that it allows.`,
      })
    }
    return (await countKeyRequest(limiter, caller))?.refusal
  }

  return {
    allows,
    check: (caller, model) => (caller.limits === undefined ? undefined : check(caller, model)),
  }
}

const maxWindows = 10_000

interface Window {
  used: number
  readonly endsAtMs: number
  readonly resetsAt: Date
}

/** Counts in the memory of this process: a cluster that runs alone has no database to share counts with. */
export function createLocalLimiter(now: () => number = () => performance.now()): Pick<Limiter, 'take'> {
  const windows = new Map<string, Window>()

  function windowOf(key: string, windowSeconds: number): Window {
    const name = `${windowSeconds} ${key}`
    const known = windows.get(name)
    if (known !== undefined && known.endsAtMs > now()) return known
    const lengthMs = windowSeconds * 1000
    const started = { used: 0, endsAtMs: now() + lengthMs, resetsAt: new Date(Date.now() + lengthMs) }
    windows.delete(name)
    windows.set(name, started)
    // The oldest window ends first.
    const [oldest] = windows.keys()
    if (windows.size > maxWindows && oldest !== undefined) windows.delete(oldest)
    return started
  }

  return {
    async take(key: string, { limit, windowSeconds }: LimitRule): Promise<Taken> {
      const window = windowOf(key, windowSeconds)
      const allowed = window.used < limit
      if (allowed) window.used += 1
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - window.used),
        resetsAt: window.resetsAt,
        secondsLeft: (window.endsAtMs - now()) / 1000,
      }
    },
  }
}

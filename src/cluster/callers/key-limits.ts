import type { Failure } from '#kernel/errors'
import { type CallerRatePolicy, countFor, createKeyRates, isModelAllowed, type Principal } from '#kernel/http'
import type { Limiter, LimitRule } from '#kernel/limits'
import { clusterFailure } from '../errors.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { tokensOf, type WorkEnd } from '../requests/work.ts'
import { accountOf } from './callers.ts'

/** Applies the limits of platform API keys to requests for models of the cluster. */
export interface KeyLimitCheck {
  /** Whether the key of the caller allows the model. */
  allows(caller: Principal, model: string): boolean
  /**
   * Checks the model and counts the request. Undefined when the caller has no limits, so that most requests wait for nothing. Resolves with
   * the reason to refuse the request, if there is one. Rejects when the request cannot be counted.
   */
  check(caller: Principal, model: string): Promise<Failure | undefined> | undefined
  /** Counts the tokens of a request when it ends; undefined when the key of the caller has no limit of tokens. */
  tokenCounter(caller: Principal): ((end: WorkEnd) => void) | undefined
}

/** The counts of requests and tokens. */
export type LimitCounts = Pick<Limiter, 'take' | 'amounts'>

function allows({ limits }: Principal, model: string): boolean {
  return isModelAllowed(limits, { provider: 'ollama', id: canonicalModelName(model) })
}

/** `accountRate` limits the requests of accounts, which the platform counts under the same name. */
export function createKeyLimitCheck(limiter: LimitCounts, accountRate?: CallerRatePolicy): KeyLimitCheck {
  const rates = createKeyRates(limiter)
  const isLimited = (caller: Principal) =>
    caller.limits !== undefined || (accountRate !== undefined && accountOf(caller) !== undefined)

  async function check(caller: Principal, model: string): Promise<Failure | undefined> {
    if (!allows(caller, model)) {
      return clusterFailure('model_not_allowed', {
        message: `This API key does not allow the model '${model}'. GET /v1/models lists the models that it allows.`,
      })
    }
    const { refusal } = await rates.admit(caller)
    if (refusal !== undefined || accountRate === undefined || accountOf(caller) === undefined) return refusal
    await countFor(limiter, accountRate, { principal: caller, ip: '' })
    return undefined
  }

  return {
    allows,
    check: (caller, model) => (isLimited(caller) ? check(caller, model) : undefined),
    tokenCounter({ credential, limits }) {
      if (limits?.tokensPerMinute === undefined || credential === null) return undefined
      return (end) => {
        const tokens = tokensOf(end)
        if (tokens > 0) rates.countTokens(credential, tokens)
      }
    },
  }
}

const maxWindows = 10_000

interface Window {
  used: number
  readonly endsAtMs: number
  readonly resetsAt: Date
}

/** Counts in the memory of this process: a cluster that runs alone has no database to share counts with. */
export function createLocalLimiter(now: () => number = () => performance.now()): LimitCounts {
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

  const countOf = ({ used, resetsAt, endsAtMs }: Window, limit: number) => ({
    limit,
    remaining: Math.max(0, limit - used),
    resetsAt,
    secondsLeft: (endsAtMs - now()) / 1000,
  })

  return {
    async take(key: string, { limit, windowSeconds }: LimitRule) {
      const window = windowOf(key, windowSeconds)
      const allowed = window.used < limit
      if (allowed) window.used += 1
      return { allowed, ...countOf(window, limit) }
    },
    amounts: {
      async add(key, windowSeconds, amount) {
        windowOf(key, windowSeconds).used += amount
      },
      read: async (key, { limit, windowSeconds }) => countOf(windowOf(key, windowSeconds), limit),
    },
  }
}

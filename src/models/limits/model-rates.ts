import type { Failure } from '#kernel/errors'
import type { Count, Limiter } from '#kernel/limits'
import { limitReached } from './limit-reached.ts'
import { limitKey, type ModelLimit, maxModelLimits } from './model-limits.ts'

/** The requests and tokens per minute of models and providers, which all replicas share. */
export interface ModelRates {
  /** The refusal when one of these limits is known to be used up; needs no statement and counts nothing. */
  findUsedUp(limits: readonly ModelLimit[]): Failure | undefined
  /** Counts one request. Throws `model_limit_reached`, or `database_unavailable`. */
  count(limits: readonly ModelLimit[]): Promise<void>
  /** Counts the tokens of a call that has ended. */
  countTokens(limits: readonly ModelLimit[], tokens: number): void
}

type Unit = 'requests' | 'tokens'

interface UsedUp {
  readonly max: number
  readonly endsAtMs: number
}

const windowSeconds = 60

/**
 * Tokens count when a call ends, and a call is admitted while its minute is not used up, like those of an API key. So calls that run at the
 * same time may exceed the limit once.
 */
export function createModelRates({ take, amounts }: Pick<Limiter, 'take' | 'amounts'>): ModelRates {
  const usedUp = new Map<string, UsedUp>()

  function refuse(limit: ModelLimit, unit: Unit, { limit: max, secondsLeft }: Count): Failure {
    // The remembered limits only save statements; the next refusal adds them again.
    if (usedUp.size >= 2 * maxModelLimits) usedUp.clear()
    usedUp.set(keyOf(limit, unit), { max, endsAtMs: performance.now() + secondsLeft * 1000 })
    return limitReached(limit, { unit, max, secondsLeft })
  }

  function findRemembered(limit: ModelLimit, unit: Unit): Failure | undefined {
    const key = keyOf(limit, unit)
    const known = usedUp.get(key)
    if (known === undefined) return undefined
    const secondsLeft = (known.endsAtMs - performance.now()) / 1000
    if (secondsLeft > 0 && known.max === maxOf(limit, unit)) {
      return limitReached(limit, { unit, max: known.max, secondsLeft })
    }
    usedUp.delete(key)
    return undefined
  }

  return {
    findUsedUp(limits) {
      if (usedUp.size === 0) return undefined
      for (const limit of limits) {
        const refusal = findRemembered(limit, 'tokens') ?? findRemembered(limit, 'requests')
        if (refusal !== undefined) return refusal
      }
      return undefined
    },

    async count(limits) {
      for (const limit of limits) {
        if (limit.tokensPerMinute === null) continue
        const rule = { limit: limit.tokensPerMinute, windowSeconds }
        const tokens = await amounts.read(keyOf(limit, 'tokens'), rule)
        if (tokens.remaining === 0) throw refuse(limit, 'tokens', tokens)
      }
      for (const limit of limits) {
        if (limit.requestsPerMinute === null) continue
        const rule = { limit: limit.requestsPerMinute, windowSeconds }
        const { allowed, ...requests } = await take(keyOf(limit, 'requests'), rule)
        if (!allowed) throw refuse(limit, 'requests', requests)
      }
    },

    countTokens(limits, tokens) {
      for (const limit of limits) {
        if (limit.tokensPerMinute !== null) void amounts.add(keyOf(limit, 'tokens'), windowSeconds, tokens)
      }
    },
  }
}

function keyOf({ provider, model }: ModelLimit, unit: Unit): string {
  return `model-${unit} ${limitKey(provider, model)}`
}

function maxOf(limit: ModelLimit, unit: Unit): number | null {
  return unit === 'tokens' ? limit.tokensPerMinute : limit.requestsPerMinute
}

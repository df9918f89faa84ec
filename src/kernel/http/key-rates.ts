import { type Failure, kernelFailure } from '#kernel/errors'
import type { Count, Limiter } from '#kernel/limits'
import type { Principal } from './access.ts'

/** The counts of an API key; absent where the key has no such limit. */
export interface KeyCounts {
  readonly requests?: Count
  readonly tokens?: Count
}

/** The model calls and their tokens per minute that API keys allow. Every API counts under the same names, so they share the limits. */
export interface KeyRates {
  /** Counts one call of the key. Returns a refusal when the requests or the tokens of the minute are used up. */
  admit(principal: Principal): Promise<KeyCounts & { readonly refusal?: Failure }>
  /** Counts the tokens of a call that has ended. */
  countTokens(keyId: string, tokens: number): void
}

const windowSeconds = 60
const tokensOf = (keyId: string) => `api-key-tokens ${keyId}`

/**
 * Tokens count when a call ends, and a call is admitted while its minute is not used up: its tokens are unknown before, and a guess could
 * refuse a call falsely. So calls that run at the same time may exceed the limit once; later calls wait for the next minute.
 */
export function createKeyRates({ take, amounts }: Pick<Limiter, 'take' | 'amounts'>): KeyRates {
  return {
    async admit({ credential, limits }) {
      const { requestsPerMinute, tokensPerMinute } = limits ?? {}
      if (credential === null) return {}
      let counts: KeyCounts = {}
      if (tokensPerMinute !== undefined) {
        const tokens = await amounts.read(tokensOf(credential), { limit: tokensPerMinute, windowSeconds })
        counts = { tokens }
        if (tokens.remaining === 0) return { ...counts, refusal: usedUp(tokens, 'tokens') }
      }
      if (requestsPerMinute === undefined) return counts
      const rule = { limit: requestsPerMinute, windowSeconds }
      const { allowed, ...requests } = await take(`api-key-requests ${credential}`, rule)
      return { ...counts, requests, ...(!allowed && { refusal: usedUp(requests, 'requests') }) }
    },
    countTokens(keyId, tokens) {
      void amounts.add(tokensOf(keyId), windowSeconds, tokens)
    },
  }
}

/** The failure of a call when a limit of its API key is used up for this minute. */
function usedUp({ limit, secondsLeft }: Count, unit: keyof KeyCounts): Failure {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  return kernelFailure('too_many_requests', {
    message: `The limit of this API key, ${limit} ${unit} per minute, is used up. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    details: { limit, unit, window_seconds: windowSeconds },
    retryAfterSeconds: seconds,
  })
}

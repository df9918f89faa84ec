import type { Failure } from '#kernel/errors'
import { countKeyRequest, keyLimitUsedUp, type Principal } from '#kernel/http'
import type { AmountCounter, Count, Limiter } from '#kernel/limits'

/** The counts of an API key; absent where the key has no such limit. */
export interface KeyCounts {
  readonly requests?: Count
  readonly tokens?: Count
}

/** The request and token limits of API keys, which all replicas share. */
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
export function createKeyRates({
  limiter,
  amounts,
}: {
  readonly limiter: Pick<Limiter, 'take'>
  readonly amounts: AmountCounter
}): KeyRates {
  async function tokensLeft({ credential, limits }: Principal): Promise<Count | undefined> {
    const limit = limits?.tokensPerMinute
    if (limit === undefined || credential === null) return undefined
    return await amounts.read(tokensOf(credential), { limit, windowSeconds })
  }

  return {
    async admit(principal) {
      const tokens = await tokensLeft(principal)
      const known = tokens === undefined ? {} : { tokens }
      if (tokens?.remaining === 0) return { ...known, refusal: keyLimitUsedUp(tokens, 'tokens') }
      const counted = await countKeyRequest(limiter, principal)
      if (counted === undefined) return known
      const { count: requests, refusal } = counted
      return { ...known, requests, ...(refusal !== undefined && { refusal }) }
    },
    countTokens(keyId, tokens) {
      void amounts.add(tokensOf(keyId), windowSeconds, tokens)
    },
  }
}

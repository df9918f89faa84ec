import type { Problem } from '#kernel/errors'
import type { AgentDefinition, Pricing } from './definition.ts'

export const noPrice: Pricing = { base_cost: 0, per_token: 0, bulk_discount: 0, enterprise_rate: 1 }

/** The inputs of a price besides the agent. */
export interface PricedUse {
  /** Tokens of the model, in and out. */
  readonly tokens: number
  /** Whether it is an item of a batch of more than one. */
  readonly isBulk: boolean
  readonly isEnterprise: boolean
}

/** Decimals that are kept: dollars to the micro-dollar, a token to a millionth of that, shares to a hundredth of a percent. */
const digits = { base_cost: 6, per_token: 12, bulk_discount: 4, enterprise_rate: 4 } as const

/** The price of a run in whole micro-dollars, computed with decimals and rounded up once. */
export function priceOf(pricing: Pricing, { tokens, isBulk, isEnterprise }: PricedUse): number {
  const trillionths =
    scaled(pricing.base_cost, 12) + BigInt(Math.max(0, Math.ceil(tokens))) * scaled(pricing.per_token, 12)
  const share = isBulk ? 10_000n - scaled(pricing.bulk_discount, 4) : 10_000n
  const rate = isEnterprise ? scaled(pricing.enterprise_rate, 4) : 10_000n
  const parts = 10n ** 14n
  return Number((trillionths * share * rate + parts - 1n) / parts)
}

/** The number in whole parts of ten to the power of minus `places`. */
function scaled(value: number, places: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(places).split('.')
  return BigInt(whole + fraction)
}

/** The problems of a price: too many decimals, and a price per token without a limit on tokens, for which no money can be reserved. */
export function checkPricing({ pricing, prompt, ai_options: ai }: AgentDefinition): Problem[] {
  if (pricing === undefined) return []
  const problems = Object.entries(digits).flatMap(([name, places]): Problem[] => {
    const value = pricing[name as keyof Pricing]
    return Number(value.toFixed(places)) === value
      ? []
      : [
          {
            path: `pricing.${name}`,
            message: `must have at most ${places} decimals`,
            code: 'digits',
          },
        ]
  })
  if (pricing.per_token > 0 && prompt === undefined)
    problems.push({
      path: 'pricing.per_token',
      message: 'has no effect: the agent calls no model',
      code: 'no_effect',
    })
  else if (pricing.per_token > 0 && ai?.max_tokens === undefined) {
    const message =
      'is required with pricing.per_token: the maximum cost of a run is reserved before it starts'
    problems.push({ path: 'ai_options.max_tokens', message, code: 'required' })
  }
  return problems
}

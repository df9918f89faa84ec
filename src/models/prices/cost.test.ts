import { describe, expect, test } from 'vitest'
import { costOf, worstCaseOf } from './cost.ts'
import type { ModelPrice } from './price.ts'

const flat: ModelPrice = {
  source: 'table',
  prices: { input: 150_000, cachedInput: 75_000, output: 600_000 },
  version: '1',
}

const tiered: ModelPrice = {
  source: 'table',
  prices: { input: 3_000_000, cachedInput: 300_000, cacheWrite: 3_750_000, output: 15_000_000 },
  tiers: [
    {
      above: 200_000,
      prices: { input: 6_000_000, cachedInput: 600_000, cacheWrite: 7_500_000, output: 22_500_000 },
    },
  ],
  version: '1',
}

const usage = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  inputTokens,
  cachedInputTokens: null,
  outputTokens,
  ...more,
})

describe('a call costs', () => {
  test.each([
    ['nothing when nothing was said', usage(0, 0), 0],
    ['what its tokens cost', usage(1_000_000, 1_000_000), 750_000],
    ['a whole micro-dollar for a part of one', usage(1, 0), 1],
    ['the sum of its parts, rounded up once', usage(3, 1), 2],
    ['less for input that was remembered', usage(1_000_000, 0, { cachedInputTokens: 400_000 }), 120_000],
    ['no less than nothing when more was remembered than sent', usage(10, 0, { cachedInputTokens: 50 }), 1],
    ['as always for a million millions', usage(1e12, 1e12), 750_000_000_000],
  ])('%s', (_name, tokens, microDollars) => {
    expect(costOf(flat, tokens)).toBe(microDollars)
  })

  test('more for all tokens when the input exceeds the tier bound', () => {
    expect(costOf(tiered, usage(200_000, 1000))).toBe(600_000 + 15_000)
    expect(costOf(tiered, usage(200_001, 1000))).toBe(1_200_006 + 22_500)
  })

  test('more for input written to the cache', () => {
    const tokens = usage(1000, 0, { cachedInputTokens: 300, cacheWriteTokens: 500 })
    expect(costOf(tiered, tokens)).toBe(200 * 3 + 300 * 0.3 + 500 * 3.75)
    // Cache writes without a price of their own cost the same as other input.
    expect(costOf(flat, usage(1_000_000, 0, { cacheWriteTokens: 1_000_000 }))).toBe(150_000)
  })

  test.each([
    ['of an unpriced model', { source: 'unpriced' } as const, usage(1, 1)],
    ['without reported input', flat, { ...usage(1, 1), inputTokens: null }],
    ['without reported output', flat, { ...usage(1, 1), outputTokens: null }],
  ])('an unknown amount %s', (_name, price, tokens) => {
    expect(costOf(price, tokens)).toBeNull()
  })

  test.each([Number.NaN, -5])('nothing for %s tokens', (tokens) => {
    expect(costOf(flat, usage(tokens, tokens))).toBe(0)
  })
})

describe('the worst case', () => {
  test('is never less than the cost of a call within its bounds', () => {
    for (const price of [flat, tiered]) {
      for (const most of [1, 199_999, 200_000, 200_001, 500_000]) {
        const worst = worstCaseOf(price, { inputTokens: most, outputTokens: 4096 }) ?? 0
        for (const input of [0, 1, 200_000, 200_001, most].filter((tokens) => tokens <= most)) {
          for (const part of [0, input]) {
            const cached = costOf(price, usage(input, 4096, { cachedInputTokens: part }))
            const written = costOf(price, usage(input, 4096, { cacheWriteTokens: part }))
            expect(worst).toBeGreaterThanOrEqual(Math.max(cached ?? 0, written ?? 0))
          }
        }
      }
    }
  })

  test('is the cost of a call that uses its bounds completely', () => {
    expect(worstCaseOf(flat, { inputTokens: 1000, outputTokens: 1000 })).toBe(costOf(flat, usage(1000, 1000)))
    const written = usage(300_000, 10, { cacheWriteTokens: 300_000 })
    expect(worstCaseOf(tiered, { inputTokens: 300_000, outputTokens: 10 })).toBe(costOf(tiered, written))
  })

  test('takes the more expensive side of a tier that is cheaper', () => {
    const cheaper: ModelPrice = {
      ...tiered,
      tiers: [{ above: 1000, prices: { input: 0, cachedInput: 0, output: 0 } }],
    }
    expect(worstCaseOf(cheaper, { inputTokens: 5000, outputTokens: 100 })).toBe(1000 * 3.75 + 1500)
  })

  test('of an unpriced model is unknown', () => {
    expect(worstCaseOf({ source: 'unpriced' }, { inputTokens: 1, outputTokens: 1 })).toBeNull()
  })
})

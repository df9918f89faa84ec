import { describe, expect, test } from 'vitest'
import type { ModelPrice } from '../prices/price.ts'
import type { ProviderFailureKind } from '../providers/provider-failure.ts'
import { chargeFor } from './charge.ts'

/** One micro-dollar for an input token, two for an output token, half of one for a cached input token. */
const price: ModelPrice = {
  source: 'table',
  version: '1',
  prices: { input: 1_000_000, cachedInput: 500_000, output: 2_000_000 },
}
const bound = { inputTokens: 1000, outputTokens: 100, microDollars: 1200 }
const seen = { begun: true, seenBytes: 30 }
const unseen = { begun: false, seenBytes: 0 }
const answered = (
  inputTokens: number | null,
  cachedInputTokens: number | null,
  outputTokens: number | null,
) => ({ outcome: 'answered', usage: { inputTokens, cachedInputTokens, outputTokens } }) as const
const failed = (kind: ProviderFailureKind) => ({ outcome: 'failed', kind, code: 'any' }) as const

describe('a response', () => {
  test('costs what the provider reported', () => {
    expect(chargeFor({ price, bound }, answered(10, 4, 5), seen)).toEqual({
      inputTokens: 10,
      cachedInputTokens: 4,
      outputTokens: 5,
      microDollars: 6 + 2 + 10,
      estimated: false,
      beyond: undefined,
    })
  })

  test('costs the upper bound where the provider reported nothing', () => {
    expect(chargeFor({ price, bound }, answered(10, null, null), seen)).toMatchObject({
      outputTokens: 30,
      microDollars: 70,
      estimated: true,
    })
    expect(chargeFor({ price, bound }, answered(null, null, 5), seen)).toMatchObject({
      inputTokens: 1000,
      microDollars: 1010,
      estimated: true,
    })
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'treats a count of %d as not reported',
    (count) => {
      expect(chargeFor({ price, bound }, answered(count, count, 5), seen)).toMatchObject({
        inputTokens: 1000,
        cachedInputTokens: null,
        estimated: true,
      })
    },
  )

  test('never costs more than was reserved, and reports the excess', () => {
    expect(chargeFor({ price, bound }, answered(2000, 0, 100), seen)).toMatchObject({
      inputTokens: 2000,
      microDollars: 1200,
      beyond: 2200,
    })
  })

  test('has no cost for an unpriced model and costs nothing for a free one', () => {
    const unpriced = { price: { source: 'unpriced' }, bound: undefined } as const
    expect(chargeFor(unpriced, answered(10, null, 5), seen)).toMatchObject({
      microDollars: null,
      outputTokens: 5,
    })
    const free = { price: { ...price, source: 'free' }, bound: undefined } as const
    expect(chargeFor(free, answered(null, null, null), seen)).toMatchObject({
      microDollars: 0,
      estimated: false,
    })
  })
})

describe('an attempt without a response', () => {
  test.each([
    'rate_limited',
    'unavailable',
    'unauthorized',
    'model_not_found',
    'refused',
    'unsupported',
  ] as const)('costs nothing when it was refused before the first part: %s', (kind) => {
    expect(chargeFor({ price, bound }, failed(kind), unseen)).toMatchObject({
      microDollars: 0,
      inputTokens: null,
      estimated: false,
    })
  })

  test.each(['timeout', 'malformed'] as const)(
    'costs its input when the provider may have worked: %s',
    (kind) => {
      expect(chargeFor({ price, bound }, failed(kind), unseen)).toMatchObject({
        inputTokens: 1000,
        outputTokens: 0,
        microDollars: 1000,
        estimated: true,
      })
    },
  )

  test('costs its input and the bytes received when it was cut off or cancelled', () => {
    for (const ending of [failed('unavailable'), failed('timeout'), { outcome: 'cancelled' } as const]) {
      expect(chargeFor({ price, bound }, ending, seen)).toMatchObject({ microDollars: 1060, estimated: true })
    }
    expect(
      chargeFor({ price, bound }, { outcome: 'cancelled' }, { begun: true, seenBytes: 9999 }),
    ).toMatchObject({
      outputTokens: 100,
      microDollars: 1200,
    })
  })
})

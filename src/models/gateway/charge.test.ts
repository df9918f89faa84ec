import { describe, expect, test } from 'vitest'
import type { ModelPrice } from '../prices/price.ts'
import type { TokenUsage } from '../providers/provider.ts'
import type { ProviderFailureKind } from '../providers/provider-failure.ts'
import { chargeFor } from './charge.ts'

/** One micro-dollar for an input token, two for an output token, half of one for a cached input token. */
const price: ModelPrice = {
  source: 'table',
  version: '1',
  prices: { input: 1_000_000, cachedInput: 500_000, output: 2_000_000 },
}
const bound = { inputTokens: 1000, outputTokens: 100, microDollars: 1200 }
const estimateInput = async () => 250
const seen = { begun: true, seenBytes: 30, estimateInput }
const unseen = { begun: false, seenBytes: 0, estimateInput }
const begunWith = (reported: TokenUsage) => ({
  ...seen,
  reported,
  estimateInput: () => expect.unreachable('the input is reported'),
})
const answered = (
  inputTokens: number | null,
  cachedInputTokens: number | null,
  outputTokens: number | null,
) => ({ outcome: 'answered', usage: { inputTokens, cachedInputTokens, outputTokens } }) as const
const failed = (kind: ProviderFailureKind) => ({ outcome: 'failed', kind, code: 'any' }) as const

describe('a response', () => {
  test('costs what the provider reported', async () => {
    expect(await chargeFor({ price, bound }, answered(10, 4, 5), seen)).toEqual({
      inputTokens: 10,
      cachedInputTokens: 4,
      outputTokens: 5,
      microDollars: 6 + 2 + 10,
      estimated: false,
      beyond: undefined,
    })
  })

  test('costs an estimate where the provider reported nothing', async () => {
    expect(await chargeFor({ price, bound }, answered(10, null, null), seen)).toMatchObject({
      outputTokens: 8,
      microDollars: 26,
      estimated: true,
    })
    expect(await chargeFor({ price, bound }, answered(null, null, 5), seen)).toMatchObject({
      inputTokens: 250,
      microDollars: 260,
      estimated: true,
    })
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'treats a count of %d as not reported',
    async (count) => {
      expect(await chargeFor({ price, bound }, answered(count, count, 5), seen)).toMatchObject({
        inputTokens: 250,
        cachedInputTokens: null,
        estimated: true,
      })
    },
  )

  test('never costs more than was reserved, and reports the excess', async () => {
    expect(await chargeFor({ price, bound }, answered(2000, 0, 100), seen)).toMatchObject({
      inputTokens: 2000,
      microDollars: 1200,
      beyond: 2200,
    })
  })

  test('has no cost for an unpriced model and costs nothing for a free one', async () => {
    const unpriced = { price: { source: 'unpriced' }, bound: undefined } as const
    expect(await chargeFor(unpriced, answered(10, null, 5), seen)).toMatchObject({
      microDollars: null,
      outputTokens: 5,
    })
    const free = { price: { ...price, source: 'free' }, bound: undefined } as const
    expect(await chargeFor(free, answered(null, null, null), seen)).toMatchObject({
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
  ] as const)('costs nothing when it was refused before the first part: %s', async (kind) => {
    expect(await chargeFor({ price, bound }, failed(kind), unseen)).toMatchObject({
      microDollars: 0,
      inputTokens: null,
      estimated: false,
    })
  })

  test.each(['timeout', 'malformed'] as const)(
    'costs its input when the provider may have worked: %s',
    async (kind) => {
      expect(await chargeFor({ price, bound }, failed(kind), unseen)).toMatchObject({
        inputTokens: 250,
        outputTokens: 0,
        microDollars: 250,
        estimated: true,
      })
    },
  )

  test('costs its estimated input and output when it was cut off or cancelled', async () => {
    for (const ending of [failed('unavailable'), failed('timeout'), { outcome: 'cancelled' } as const]) {
      expect(await chargeFor({ price, bound }, ending, seen)).toMatchObject({
        inputTokens: 250,
        outputTokens: 8,
        microDollars: 266,
        estimated: true,
      })
    }
  })

  test('costs what the provider reported before it was cut off, and the rest by estimate', async () => {
    const begun = { inputTokens: 40, cachedInputTokens: 10, outputTokens: null }
    expect(await chargeFor({ price, bound }, { outcome: 'cancelled' }, begunWith(begun))).toMatchObject({
      inputTokens: 40,
      outputTokens: 8,
      microDollars: 30 + 5 + 16,
      estimated: true,
    })
    const complete = { ...begun, outputTokens: 3 }
    expect(await chargeFor({ price, bound }, { outcome: 'cancelled' }, begunWith(complete))).toMatchObject({
      outputTokens: 3,
      microDollars: 30 + 5 + 6,
      estimated: false,
    })
  })

  test('never costs more than was reserved', async () => {
    const much = { begun: true, seenBytes: 9999, estimateInput: async () => 1_000_000 }
    expect(await chargeFor({ price, bound }, { outcome: 'cancelled' }, much)).toMatchObject({
      inputTokens: 1000,
      outputTokens: 100,
      microDollars: 1200,
    })
  })
})

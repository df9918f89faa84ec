import { expect, test } from 'vitest'
import { priceOf } from './pricing.ts'

const price = { base_cost: 0.29, per_token: 0.0000000015, bulk_discount: 0.3333, enterprise_rate: 1.5 }
const use = { tokens: 0, isBulk: false, isEnterprise: false }

test.each([
  ['the base cost, with the digits its author wrote', use, 290_000],
  ['one token, rounded up', { ...use, tokens: 1 }, 290_001],
  ['a thousand tokens', { ...use, tokens: 1000 }, 290_002],
  ['an item of a batch', { ...use, isBulk: true }, 193_343],
  ['an enterprise', { ...use, isEnterprise: true }, 435_000],
  ['both, rounded up once', { tokens: 1000, isBulk: true, isEnterprise: true }, 290_017],
])('%s', (_what, used, expected) => {
  expect(priceOf(price, used)).toBe(expected)
})

test('without a price a run is free', () => {
  const free = { base_cost: 0, per_token: 0, bulk_discount: 0, enterprise_rate: 1 }
  expect(priceOf(free, { tokens: 1e9, isBulk: true, isEnterprise: true })).toBe(0)
})

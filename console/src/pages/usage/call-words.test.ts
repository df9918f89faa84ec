import { expect, test } from 'vitest'
import {
  describeCallCost,
  describeOutcome,
  describeTotalCost,
  describeUnpriced,
  meanOf,
} from './call-words.ts'

test.each([
  [{ calls: 0, unpriced_calls: 0, micro_dollars: 0 }, '$0', undefined],
  [{ calls: 3, unpriced_calls: 0, micro_dollars: 1_500_000 }, '$1.50', undefined],
  [{ calls: 3, unpriced_calls: 1, micro_dollars: 1_500_000 }, '$1.50', 'price unknown for 1 call'],
  [{ calls: 3, unpriced_calls: 3, micro_dollars: 0 }, 'price unknown', 'all prices unknown'],
])('never shows an unknown cost as free: %j', (totals, cost, missing) => {
  expect(describeTotalCost(totals)).toBe(cost)
  expect(describeUnpriced(totals)).toBe(missing)
})

test('a call without a price is shown with an unknown price, a free one with $0', () => {
  expect(describeCallCost({ micro_dollars: 0, unpriced: true })).toBe('price unknown')
  expect([0, 12].map((micro_dollars) => describeCallCost({ micro_dollars, unpriced: false }))).toEqual([
    '$0',
    '$0.000012',
  ])
})

test('an outcome unknown to this console is shown by its name', () => {
  expect(describeOutcome('cancelled').word).toBe('Stopped')
  expect(describeOutcome('toString')).toEqual({ tone: 'idle', word: 'toString' })
})

test('the mean of no calls is undefined', () => {
  expect([meanOf(100, 3), meanOf(0, 0)]).toEqual([33, undefined])
})

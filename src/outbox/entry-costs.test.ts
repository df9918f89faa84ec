import { expect, test } from 'vitest'
import { createEntryCosts, shareTime } from './entry-costs.ts'

const entriesOf = (accountId: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ accountId, index }))

/** How many entries of each account are chosen. */
function share(waiting: readonly (readonly [accountId: string, entries: number, ms: number])[]) {
  const msOf = (accountId: string) => waiting.find(([id]) => id === accountId)?.[2] ?? Number.NaN
  const chosen = shareTime(
    waiting.flatMap(([accountId, entries]) => entriesOf(accountId, entries)),
    msOf,
  )
  return Object.fromEntries(
    [...Map.groupBy(chosen, ({ accountId }) => accountId)].map(([id, { length }]) => [id, length]),
  )
}

test.each([
  ['nothing waits', [], {}],
  ['one account has all the time', [['a', 80, 2]], { a: 50 }],
  ['a few entries may take longer', [['a', 80, 10]], { a: 20 }],
  ['but not far longer', [['a', 80, 100]], { a: 5 }],
  [
    'an entry above the time is chosen alone',
    [
      ['a', 80, 900],
      ['b', 1, 1],
    ],
    { a: 1 },
  ],
  [
    'a long backlog leaves time for others',
    [
      ['a', 80, 2],
      ['b', 1, 5],
      ['c', 2, 5],
    ],
    { a: 42, b: 1, c: 2 },
  ],
  [
    'accounts share the time, not the number of entries',
    [
      ['a', 80, 1],
      ['b', 80, 10],
    ],
    { a: 50, b: 5 },
  ],
  [
    'the first account that does not fit ends the batch',
    [
      ['a', 2, 1],
      ['b', 9, 500],
      ['c', 1, 1],
    ],
    { a: 2 },
  ],
  [
    'when not all fit, the first accounts have one entry each',
    [
      ['a', 9, 250],
      ['b', 9, 250],
      ['c', 1, 250],
    ],
    { a: 1, b: 1 },
  ],
] as const)('%s', (_, waiting, expected) => {
  expect(share(waiting)).toEqual(expected)
})

test('the entries of an account stay in order, grouped by account', () => {
  const waiting = [...entriesOf('a', 3), ...entriesOf('b', 2)].toSorted(
    (one, other) => one.index - other.index,
  )
  expect(shareTime(waiting, () => 1)).toEqual([...entriesOf('a', 3), ...entriesOf('b', 2)])
})

test('the cost of an entry is learned from dispatches within a few of them', () => {
  const costs = createEntryCosts()
  expect(costs.msOf('a')).toBe(5)
  costs.learn(entriesOf('a', 10), 250)
  expect(costs.msOf('a')).toBe(15)
  for (let count = 0; count < 10; count += 1) costs.learn(entriesOf('a', 10), 250)
  expect(costs.msOf('a')).toBeCloseTo(25, 1)
  for (let count = 0; count < 20; count += 1) costs.learn(entriesOf('a', 10), 0)
  expect(costs.msOf('a')).toBe(0.1)
  expect(costs.msOf('b')).toBe(5)
})

test('a dispatch of several accounts changes the costs of all of them alike', () => {
  const costs = createEntryCosts()
  costs.learn(entriesOf('a', 2), 30)
  costs.learn([...entriesOf('a', 1), ...entriesOf('b', 2)], 40)
  expect([costs.msOf('a'), costs.msOf('b')]).toEqual([15, 7.5])
})

test('costs are kept for the 1,000 accounts dispatched last', () => {
  const costs = createEntryCosts()
  for (let number = 0; number <= 1000; number += 1) costs.learn(entriesOf(`account ${number}`, 1), 15)
  expect(costs.msOf('account 0')).toBe(5)
  expect(costs.msOf('account 1')).toBe(10)
  expect(costs.msOf('account 1000')).toBe(10)
})

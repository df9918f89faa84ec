import { expect, test } from 'vitest'
import { describeCount, describeNearness, describeWait } from './today-words.ts'

test.each([
  [0, 10, undefined],
  [7.9, 10, undefined],
  [8, 10, 'near limit'],
  [10, 10, 'limit reached'],
  [3, 0, undefined],
])('describes a usage of %d of %d as %s', (used, limit, word) => {
  expect(describeNearness(used, limit)?.word).toBe(word)
})

test.each([
  [null, 0, '0 queued'],
  [null, 2, 'wait unknown'],
  [undefined, 2, 'wait unknown'],
  [0.2, 2, '< 1 s wait'],
  [90, 2, 'about 1 min 30 s wait'],
])('describes a wait of %d seconds behind %d executions', (seconds, queued, words) => {
  expect(describeWait(seconds, queued)).toBe(words)
})

test('counts with the right noun', () => {
  expect([0, 1, 2].map((count) => describeCount(count, 'runs', 'run'))).toEqual(['0 run', '1 runs', '2 run'])
})

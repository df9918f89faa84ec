import { expect, test } from 'vitest'
import { describeCount, describeNearness, describeWait } from './today-words.ts'

test.each([
  [0, 10, undefined],
  [7.9, 10, undefined],
  [8, 10, 'nearly used up'],
  [10, 10, 'used up'],
  [3, 0, undefined],
])('%d of %d is %s', (used, limit, word) => {
  expect(describeNearness(used, limit)?.word).toBe(word)
})

test.each([
  [null, 0, 'nothing waits'],
  [null, 2, 'no telling how long'],
  [undefined, 2, 'no telling how long'],
  [0.2, 2, 'hardly any wait'],
  [90, 2, 'about 1 min 30 s to wait'],
])('a wait of %d seconds behind %d', (seconds, queued, words) => {
  expect(describeWait(seconds, queued)).toBe(words)
})

test('counts with the right noun', () => {
  expect([0, 1, 2].map((count) => describeCount(count, 'runs', 'run'))).toEqual(['0 run', '1 runs', '2 run'])
})

import { expect, test } from 'vitest'
import { sumPoints } from './series-sums.ts'

const quiet = { requests: 0, average_ms: null, max_ms: null, input_tokens: 0, output_tokens: 0 }

test('an average over everything counts every answer once, whenever it was', () => {
  const sums = sumPoints([
    { requests: 1, average_ms: 100, max_ms: 100, input_tokens: 5, output_tokens: 1 },
    quiet,
    { requests: 9, average_ms: 10, max_ms: 30, input_tokens: 7, output_tokens: 2 },
  ])
  expect(sums).toEqual({ averageMs: 19, maxMs: 100, inputTokens: 12, outputTokens: 3 })
})

test('nothing answered took no time at all, which is not zero', () => {
  expect(sumPoints([quiet])).toMatchObject({ averageMs: null, maxMs: null })
})

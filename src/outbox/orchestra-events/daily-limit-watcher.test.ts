import { expect, test } from 'vitest'
import { passedThresholds } from './daily-limit-watcher.ts'

const limit = 1_000_000

test.each([
  { spent: 799_999, refused: false, passed: [] },
  { spent: 800_000, refused: false, passed: [80] },
  { spent: 999_999, refused: false, passed: [80] },
  { spent: 1_000_000, refused: false, passed: [80, 100] },
  { spent: 950_000, refused: true, passed: [80, 100] },
  // One call that is dearer than what is left says little about a day that has hardly begun.
  { spent: 100_000, refused: true, passed: [] },
])('$spent of a million spent, refused: $refused', ({ spent, refused, passed }) => {
  expect(passedThresholds({ spent, limit, refused })).toEqual(passed)
})

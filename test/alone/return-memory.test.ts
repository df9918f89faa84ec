import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../src/app/commands/return-memory.ts'

test('a collection gives pages of the heap back', () => {
  let garbage: unknown[] = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  const before = getHeapStatistics().total_physical_size
  expect(garbage).toHaveLength(1_000_000)
  garbage = []
  // The worker of the tests has a heap of its own size.
  collectGarbage(Number.POSITIVE_INFINITY)
  expect(getHeapStatistics().total_physical_size).toBeLessThan(before - 10 * 1024 * 1024)
})

import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { rankGraph } from './rank-graph.ts'

test('ranks solve the PageRank equations', async () => {
  // Two nodes linked to one: c = 0.15 + 0.85 × 2l and l = 0.15 + 0.85 × c / 2, so c = 0.405 / 0.2775.
  const ranks = await rankGraph(
    3,
    [
      { a: 0, b: 1, weight: 2 },
      { a: 0, b: 2, weight: 2 },
    ],
    createPacer(),
  )
  expect(ranks[0]).toBeCloseTo(0.405 / 0.2775, 3)
  expect(ranks[1]).toBeCloseTo(0.15 + 0.425 * (0.405 / 0.2775), 3)
  expect(ranks[2]).toBe(ranks[1])
})

test('a heavier edge counts more, and an isolated node keeps its own rank', async () => {
  const ranks = await rankGraph(
    4,
    [
      { a: 0, b: 1, weight: 3 },
      { a: 0, b: 2, weight: 1 },
    ],
    createPacer(),
  )
  expect(ranks[1]).toBeGreaterThan(ranks[2] ?? 0)
  expect(ranks[3]).toBeCloseTo(0.15)
})

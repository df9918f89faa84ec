import { describe, expect, test } from 'vitest'
import { evidenceOf, likelyRate, rateBounds } from './score-factors.ts'

describe('success rates', () => {
  test('are unknown without attempts', () => {
    expect(likelyRate({ completed: 0, failed: 0 })).toBeNull()
    expect(rateBounds({ completed: 0, failed: 0 })).toBeNull()
    expect(evidenceOf({ completed: 0, failed: 0 })).toBe(0)
  })

  test('have wide bounds with few attempts, and narrow ones with many', () => {
    const [few, many] = [rateBounds({ completed: 9, failed: 1 }), rateBounds({ completed: 900, failed: 100 })]
    expect(few?.low).toBeCloseTo(0.6523, 3)
    expect(few?.high).toBeCloseTo(0.9774, 3)
    expect(many?.low).toBeCloseTo(0.8833, 3)
    expect(many?.high).toBeCloseTo(0.9145, 3)
    expect(likelyRate({ completed: 9, failed: 1 })).toBeCloseTo(10 / 12)
  })

  test('have more evidence with every attempt', () => {
    const evidence = [1, 10, 100, 1000].map((completed) => evidenceOf({ completed, failed: 0 }))
    expect(evidence).toEqual(evidence.toSorted((one, other) => one - other))
    expect(evidence[1]).toBe(0.5)
  })
})

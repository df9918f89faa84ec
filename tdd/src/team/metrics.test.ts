import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MemberMetrics, mergeCopies, totalOf } from './metrics.ts'

const count = fc.nat({ max: 1000 })
const counts = fc.record({
  cycles: count,
  provenRed: count,
  runs: count,
  heldGreen: count,
  blockedEdits: count,
  misplacedEdits: count,
})
const copy: fc.Arbitrary<MemberMetrics> = fc
  .dictionary(fc.constantFrom('2026-09', '2026-10', '2026-11'), counts)
  .map((months) => ({ version: 1, member: 'Ada', months: { ...months } }))

test('copies of one member merge in any order, any number of times, without loss', () => {
  fc.assert(
    fc.property(copy, copy, copy, (a, b, c) => {
      expect(mergeCopies(a, b)).toEqual(mergeCopies(b, a))
      expect(mergeCopies(mergeCopies(a, b), c)).toEqual(mergeCopies(a, mergeCopies(b, c)))
      expect(mergeCopies(mergeCopies(a, b), b)).toEqual(mergeCopies(a, b))
      expect(totalOf([mergeCopies(a, b)]).cycles).toBeGreaterThanOrEqual(totalOf([a]).cycles)
    }),
  )
})

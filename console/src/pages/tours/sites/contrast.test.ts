import { expect, test } from 'vitest'
import { contrastRatio } from './contrast.ts'

test('the contrast of two colours is that of WCAG', () => {
  const [white, black] = [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
  ] as const
  expect(contrastRatio(white, black)).toBeCloseTo(21, 5)
  expect(contrastRatio(black, white)).toBeCloseTo(21, 5)
  expect(contrastRatio(white, white)).toBe(1)
  // The lightest grey that WCAG accepts on white, and the next one.
  expect(contrastRatio(white, [118, 118, 118, 255])).toBeGreaterThan(4.5)
  expect(contrastRatio(white, [119, 119, 119, 255])).toBeLessThan(4.5)
})

import { describe, expect, test } from 'vitest'
import { drawSparkline } from './sparkline-path.ts'

const size = { width: 122, height: 24 }
const times = <Value>(length: number, value: Value) => Array.from({ length }, () => value)

describe('a sparkline', () => {
  test('ends at the right, with zero at the bottom and the highest value at the top', () => {
    expect(drawSparkline([0, 5, 10], size)).toBe('M116 22h0L118 12L120 2')
  })

  test('begins at the left when it is full', () => {
    expect(drawSparkline(times(60, 1), size)).toMatch(/^M2 2h0L4 2.*L120 2$/)
  })

  test('bridges a few slices without measurements, and breaks at many', () => {
    expect(drawSparkline([1, ...times(5, null), 1], size)).toBe('M108 2h0L120 2')
    expect(drawSparkline([1, ...times(6, null), 1], size)).toBe('M106 2h0M120 2h0')
  })

  test('is flat at the bottom for zeros, and empty without values', () => {
    expect(drawSparkline([0, 0], size)).toBe('M118 22h0L120 22')
    expect(drawSparkline(times(60, null), size)).toBe('')
    expect(drawSparkline([], size)).toBe('')
  })
})

import { assert, boolean, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coverPeriod, type Period, periodsOf, startOf, unitMs } from './period.ts'

const at = (text: string) => new Date(`2026-03-${text}:00Z`)

describe('the rows of a period', () => {
  test('up to now are minutes, hours and then days to the last', () => {
    expect(coverPeriod({ from: at('01T22:58'), to: undefined }, at('03T10:20'))).toEqual([
      { grain: 'minute', from: at('01T22:58'), to: at('01T23:00') },
      { grain: 'hour', from: at('01T23:00'), to: at('02T00:00') },
      { grain: 'day', from: at('02T00:00'), to: undefined },
    ])
  })

  test('that began a moment ago are minutes alone', () => {
    expect(coverPeriod({ from: at('01T10:10'), to: undefined }, at('01T10:40'))).toEqual([
      { grain: 'minute', from: at('01T10:10'), to: undefined },
    ])
    expect(coverPeriod({ from: at('01T10:10'), to: undefined }, at('01T11:10'))).toEqual([
      { grain: 'minute', from: at('01T10:10'), to: at('01T11:00') },
      { grain: 'hour', from: at('01T11:00'), to: undefined },
    ])
  })

  test('hold each minute exactly once, whatever the period', () => {
    const minutes = integer({ min: 0, max: 4 * 24 * 60 })
    assert(
      property(minutes, minutes, boolean(), (one, other, isOpen) => {
        const start = at('01T00:00').getTime()
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const end = start + to * unitMs.minute
        const period: Period = {
          from: new Date(start + from * unitMs.minute),
          to: isOpen ? undefined : new Date(end),
        }
        const covered = coverPeriod(period, new Date(end)).reduce(
          (sum, segment) =>
            sum + Math.max(0, (segment.to?.getTime() ?? end) - segment.from.getTime()) / unitMs.minute,
          0,
        )
        expect(covered).toBe(to - from)
        for (const segment of coverPeriod(period, new Date(end))) {
          expect(startOf(segment.grain, segment.from)).toEqual(segment.from)
          if (segment.to !== undefined) expect(startOf(segment.grain, segment.to)).toEqual(segment.to)
        }
      }),
    )
  })
})

test('a timeframe has one of the same length before it', () => {
  const now = new Date('2026-03-10T10:20:30Z')
  expect(periodsOf('1h', now)).toEqual({
    current: { from: at('10T09:20'), to: undefined },
    before: { from: at('10T08:20'), to: at('10T09:20') },
  })
  expect(periodsOf('7d', now)).toEqual({
    current: { from: at('03T10:00'), to: undefined },
    before: { from: new Date('2026-02-24T10:00:00Z'), to: at('03T10:00') },
  })
})

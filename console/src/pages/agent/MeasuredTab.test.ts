import { expect, test } from 'vitest'
import { describeMonth, monthLine } from './MeasuredTab.tsx'

test('lists the last twelve months across the turn of the year, with zero for months without runs', () => {
  const line = monthLine({ '2026-11': 7, '2026-02': 3, '2020-01': 99 }, new Date('2026-11-30T23:59:59Z'))
  expect(line).toHaveLength(12)
  expect(line[0]).toEqual({ month: '2025-12', runs: 0 })
  expect(line.at(-1)).toEqual({ month: '2026-11', runs: 7 })
  expect(line.filter(({ runs }) => runs > 0).map(({ month }) => month)).toEqual(['2026-02', '2026-11'])
})

test('formats a month by its name', () => {
  expect(describeMonth('2026-11', 'long')).toContain('2026')
  expect(describeMonth('2026-11', 'short')).not.toContain('2026')
})

import { expect, test } from 'vitest'
import { showPercent, showSpan } from './texts.ts'

test('a percentage below 100 is never rounded up to 100', () => {
  expect([100, 99.999, 99.5, 0, null].map(showPercent)).toEqual([
    '100 %',
    '99.99 %',
    '99.50 %',
    '0.00 %',
    'no data',
  ])
})

const at = (text: string) => new Date(`2026-11-${text}Z`)

test('a period within one day shows the date once', () => {
  expect(showSpan(at('15T08:00'), at('15T09:30'))).toEqual(['15 Nov 2026, 08:00', '09:30 UTC'])
  expect(showSpan(at('15T23:00'), at('16T01:00'))).toEqual([
    '15 Nov 2026, 23:00 UTC',
    '16 Nov 2026, 01:00 UTC',
  ])
})

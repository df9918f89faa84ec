import { expect, test } from 'vitest'
import { coverTime } from './grain.ts'

const at = (text: string) => Date.parse(`2026-03-${text}:00Z`)
const tell = (finest: 'minute' | 'hour' | 'day', from: string, to: string) =>
  coverTime(finest, at(from), at(to)).map(
    (segment) =>
      `${segment.grain} ${new Date(segment.from).toISOString().slice(8, 16)} ${new Date(segment.to).toISOString().slice(8, 16)}`,
  )

test('an hour up to now is made of minutes, the one under way included', () => {
  expect(tell('minute', '01T10:20', '01T10:59')).toEqual(['minute 01T10:20 01T10:59'])
})

test('a day up to now has minutes at its ends and hours between', () => {
  expect(tell('minute', '01T10:20', '02T10:20')).toEqual([
    'minute 01T10:20 01T11:00',
    'hour 01T11:00 02T10:00',
    'minute 02T10:00 02T10:20',
  ])
})

test('weeks have hours at their ends and days between, and never minutes when those are not kept', () => {
  expect(tell('hour', '01T10:20', '08T10:20')).toEqual([
    'hour 01T10:00 02T00:00',
    'day 02T00:00 08T00:00',
    'hour 08T00:00 08T11:00',
  ])
})

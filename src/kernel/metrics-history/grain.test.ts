import { expect, test } from 'vitest'
import { coverTime } from './grain.ts'

const at = (text: string) => Date.parse(`2026-03-${text}:00Z`)
const cover = (finest: 'minute' | 'hour' | 'day', from: string, to: string) =>
  coverTime(finest, at(from), at(to)).map(
    (segment) =>
      `${segment.grain} ${new Date(segment.from).toISOString().slice(8, 16)} ${new Date(segment.to).toISOString().slice(8, 16)}`,
  )

test('the last hour consists of minutes, including the current one', () => {
  expect(cover('minute', '01T10:20', '01T10:59')).toEqual(['minute 01T10:20 01T10:59'])
})

test('the last 24 hours consist of minutes at the ends and hours between', () => {
  expect(cover('minute', '01T10:20', '02T10:20')).toEqual([
    'minute 01T10:20 01T11:00',
    'hour 01T11:00 02T10:00',
    'minute 02T10:00 02T10:20',
  ])
})

test('weeks consist of hours at the ends and days between, without minutes', () => {
  expect(cover('hour', '01T10:20', '08T10:20')).toEqual([
    'hour 01T10:00 02T00:00',
    'day 02T00:00 08T00:00',
    'hour 08T00:00 08T11:00',
  ])
})

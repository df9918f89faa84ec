import { describe, expect, test } from 'vitest'
import { UserError } from '#kernel/errors'
import { readExpiry } from './accounts.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const read = (text: string) => readExpiry(text, now).toISOString()

describe('the time of expiry', () => {
  test.each([
    ['12h', '2026-11-16T00:00:00.000Z'],
    ['30d', '2026-12-15T12:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T18:00Z', '2027-01-31T18:00:00.000Z'],
    ['2027-01-31T00:30:00+02:00', '2027-01-30T22:30:00.000Z'],
  ])('%s is parsed', (text, moment) => expect(read(text)).toBe(moment))

  test.each(['', '30', 'd', '-1d', '1.5d', '30 d', '2y', 'tomorrow', '2027-02-31', '2027-13-01'])(
    '%j is refused with examples of valid values',
    (text) => {
      expect(() => read(text)).toThrow(UserError)
      expect(() => read(text)).toThrow(/such as 12h or 30d/)
    },
  )

  test('a time without a time zone is refused, because it is ambiguous', () => {
    expect(() => read('2027-01-31T18:00')).toThrow(UserError)
  })

  test.each(['0d', '2026-11-15', '2020-01-01T00:00Z'])('%s is in the past', (text) =>
    expect(() => read(text)).toThrow('must be in the future'),
  )
})

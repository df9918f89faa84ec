import { describe, expect, test } from 'vitest'
import { expiryOf } from './KeyExpiry.tsx'

const now = new Date('2026-11-15T12:00:00Z')

describe('expiryOf', () => {
  test('counts days from now', () => {
    expect(expiryOf('7 days', '', now)).toBe('2026-11-22T12:00:00.000Z')
    expect(expiryOf('1 year', '', now)).toBe('2027-11-15T12:00:00.000Z')
  })

  test('returns null for a key that never expires', () =>
    expect(expiryOf('never', '2027-01-01', now)).toBeNull())

  test('expires a key at the end of the chosen day', () => {
    expect(expiryOf('date', '2027-01-31', now)).toBe(new Date('2027-01-31T23:59:59').toISOString())
  })

  test('sends a missing day as it is, so that the server refuses it', () =>
    expect(expiryOf('date', '', now)).toBe(''))
})

import { expect, test } from 'vitest'
import { nameStretch } from './stretch-names.ts'

test('a day is labelled by its date in UTC', () => {
  const { name, shortName } = nameStretch('2026-11-15T00:00:00.000Z', 'day')
  expect(name).toMatch(/15/)
  expect(name).toMatch(/Nov/)
  expect(shortName.length).toBeLessThan(name.length)
})

test('a quarter of an hour is labelled by its start and end', () => {
  const { name, shortName } = nameStretch('2026-11-15T09:45:00.000Z', 'quarter')
  expect(name).toMatch(/^.*45.* to .*00.*$/)
  expect(name.startsWith(shortName)).toBe(true)
})

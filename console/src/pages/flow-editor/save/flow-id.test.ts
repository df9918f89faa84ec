import { expect, test } from 'vitest'
import { idFromLabel } from './flow-id.ts'

test('a label becomes an id that may be one', () => {
  expect(idFromLabel('Review a text')).toBe('review-a-text')
  expect(idFromLabel('  Überprüfung: 2. Fassung! ')).toBe('uberprufung-2-fassung')
  expect(idFromLabel('日本')).toBe('')
  const long = idFromLabel(`${'a'.repeat(63)} b`)
  expect(long).toBe('a'.repeat(63))
})

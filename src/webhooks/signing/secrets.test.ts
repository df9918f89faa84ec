import { describe, expect, test } from 'vitest'
import { describeUnfitSecret, generateSecret, standardKey } from './secrets.ts'

describe('a secret', () => {
  test('that is generated fits, is never the same, and has 32 bytes', () => {
    const [first, second] = [generateSecret(), generateSecret()]
    expect(first).not.toBe(second)
    expect(describeUnfitSecret(first)).toBeUndefined()
    expect(standardKey(first)).toHaveLength(32)
  })

  test('of one’s own is taken as the text it is', () => {
    expect(describeUnfitSecret('sixteen-letters!')).toBeUndefined()
    expect(standardKey('sixteen-letters!').toString()).toBe('sixteen-letters!')
  })

  test.for([
    'fifteen-letters',
    'has a space in the middle',
    'whsec_????????????????',
    'whsec_AAAAAAAAAAAAAAAAAAA',
    'whsec_AAAAAAAAAAAAAAAA',
    'ü'.repeat(20),
    'x'.repeat(257),
    'line\nbreak-in-the-middle',
  ])('like %j does not fit', (secret) => {
    expect(describeUnfitSecret(secret)).toMatchObject({ path: 'secret' })
  })
})

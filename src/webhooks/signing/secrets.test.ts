import { describe, expect, test } from 'vitest'
import { describeInvalidSecret, generateSecret, standardKey } from './secrets.ts'

describe('a secret', () => {
  test('that is generated is valid, unique and has 32 bytes', () => {
    const [first, second] = [generateSecret(), generateSecret()]
    expect(first).not.toBe(second)
    expect(describeInvalidSecret(first)).toBeUndefined()
    expect(standardKey(first)).toHaveLength(32)
  })

  test('chosen by a user is used as text', () => {
    expect(describeInvalidSecret('sixteen-letters!')).toBeUndefined()
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
  ])('like %j is refused', (secret) => {
    expect(describeInvalidSecret(secret)).toMatchObject({ path: 'secret' })
  })
})

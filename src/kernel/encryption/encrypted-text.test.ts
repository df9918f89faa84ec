import { describe, expect, test } from 'vitest'
import { createEncryptionKey } from './encrypted-text.ts'

const key = createEncryptionKey('a secret of at least thirty-two characters')
const associatedData = { purpose: 'provider-key', place: 'openai' }
const damaged = expect.objectContaining({ code: 'sealed_damaged', status: 409 })

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test.each(['sk-1234', '', 'été 🎼', 'x'.repeat(100_000)])('an encrypted text can be decrypted', (text) => {
  expect(key.decrypt(key.encrypt(text, associatedData), associatedData)).toBe(text)
})

test('the same text is encrypted differently each time, and is not readable', () => {
  const [first, second] = [
    key.encrypt('sk-1234567890', associatedData),
    key.encrypt('sk-1234567890', associatedData),
  ]
  expect(first).not.toBe(second)
  expect(first).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/)
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-12')
})

test('the same secret decrypts it in another process', () => {
  const again = createEncryptionKey('a secret of at least thirty-two characters')
  expect(again.id).toBe(key.id)
  expect(again.decrypt(key.encrypt('sk-1', associatedData), associatedData)).toBe('sk-1')
})

describe('it cannot be decrypted', () => {
  test.each([
    ['for another use', { ...associatedData, purpose: 'signing-key' }],
    ['in another place', { ...associatedData, place: 'anthropic' }],
  ])('%s', (_name, elsewhere) => {
    const encrypted = key.encrypt('sk-1', associatedData)
    expect(failureOf(() => key.decrypt(encrypted, elsewhere))).toEqual(damaged)
  })

  test('with another secret', () => {
    const other = createEncryptionKey('another secret of at least 32 characters')
    expect(other.id).not.toBe(key.id)
    expect(failureOf(() => other.decrypt(key.encrypt('sk-1', associatedData), associatedData))).toEqual(
      damaged,
    )
  })

  test('when any single bit was changed', () => {
    const encrypted = key.encrypt('sk-1', associatedData)
    const [version = '', id = '', body = ''] = encrypted.split('.')
    const bytes = Buffer.from(body, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      const text = [version, id, changed.toString('base64url')].join('.')
      expect(failureOf(() => key.decrypt(text, associatedData))).toEqual(damaged)
    }
  })

  test.each([
    '',
    'v1',
    'v1..',
    'v1.AAAAAAAA.AAAA',
    'v2.AAAAAAAA.AAAAAAAA',
    'sk-1234',
    'v1.a.b.c',
    '{"kty":"EC"}',
  ])('when it is %j', (text) => {
    expect(failureOf(() => key.decrypt(text, associatedData))).toEqual(damaged)
  })
})

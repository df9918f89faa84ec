import { describe, expect, test } from 'vitest'
import { createSealingKey } from './sealed-text.ts'

const key = createSealingKey('a secret of at least thirty-two characters')
const seat = { purpose: 'provider-key', place: 'openai' }
const damaged = expect.objectContaining({ code: 'sealed_damaged', status: 409 })

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test.each(['sk-1234', '', 'été 🎼', 'x'.repeat(100_000)])('what was sealed opens again', (text) => {
  expect(key.open(key.seal(text, seat), seat)).toBe(text)
})

test('the same text is sealed differently each time, and shows nothing of itself', () => {
  const [first, second] = [key.seal('sk-1234567890', seat), key.seal('sk-1234567890', seat)]
  expect(first).not.toBe(second)
  expect(first).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/)
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('sk-12')
})

test('the same secret opens it in another process', () => {
  const again = createSealingKey('a secret of at least thirty-two characters')
  expect(again.id).toBe(key.id)
  expect(again.open(key.seal('sk-1', seat), seat)).toBe('sk-1')
})

describe('it does not open', () => {
  test.each([
    ['for another use', { ...seat, purpose: 'signing-key' }],
    ['in another place', { ...seat, place: 'anthropic' }],
  ])('%s', (_name, elsewhere) => {
    const sealed = key.seal('sk-1', seat)
    expect(failureOf(() => key.open(sealed, elsewhere))).toEqual(damaged)
  })

  test('with another secret', () => {
    const other = createSealingKey('another secret of at least 32 characters')
    expect(other.id).not.toBe(key.id)
    expect(failureOf(() => other.open(key.seal('sk-1', seat), seat))).toEqual(damaged)
  })

  test('when a single bit of it was changed, wherever', () => {
    const sealed = key.seal('sk-1', seat)
    const [version = '', id = '', body = ''] = sealed.split('.')
    const bytes = Buffer.from(body, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      const text = [version, id, changed.toString('base64url')].join('.')
      expect(failureOf(() => key.open(text, seat))).toEqual(damaged)
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
    expect(failureOf(() => key.open(text, seat))).toEqual(damaged)
  })
})

import { describe, expect, test } from 'vitest'
import { fingerprint, nameOf } from './idempotency.ts'

const of = (body: unknown) => fingerprint({ params: {}, query: {}, body }).toString('hex')

describe('the fingerprint of a request', () => {
  test('is the same with its fields in another order', () => {
    expect(of({ a: 1, b: { c: [1, 2], d: null } })).toBe(of({ b: { d: null, c: [1, 2] }, a: 1 }))
  })

  test.each([
    ['a value', { a: 1 }, { a: 2 }],
    ['the type of a value', { a: 1 }, { a: '1' }],
    ['the order of a list', { a: [1, 2] }, { a: [2, 1] }],
    ['a name', { a: 1 }, { b: 1 }],
    ['a field more', { a: 1 }, { a: 1, b: null }],
    ['where a field stands', { a: { b: 1 }, c: {} }, { a: {}, c: { b: 1 } }],
    ['a list for an object', { a: [] }, { a: {} }],
  ])('differs with %s changed', (_what, one, other) => {
    expect(of(one)).not.toBe(of(other))
  })

  test('two different objects never have the same fingerprint', () => {
    expect(of({ a: 1 })).not.toBe(of({ fields: [['a', 1]] }))
  })

  test('includes path and query', () => {
    const body = {}
    expect(fingerprint({ params: { id: '1' }, query: {}, body })).not.toEqual(
      fingerprint({ params: { id: '2' }, query: {}, body }),
    )
    expect(fingerprint({ params: {}, query: { a: '1' }, body })).not.toEqual(
      fingerprint({ params: {}, query: {}, body }),
    )
  })
})

test('a key differs by account and by route', () => {
  const names = [
    nameOf('a', 'POST /x', 'k'),
    nameOf('b', 'POST /x', 'k'),
    nameOf('a', 'POST /y', 'k'),
    nameOf('a', 'POST /x', 'l'),
  ].map((name) => name.toString('hex'))
  expect(new Set(names).size).toBe(4)
})

import { expect, test } from 'vitest'
import { readObject } from './read-object.ts'

test('reads an object', () => {
  expect(readObject('{"a": 1}')).toEqual({ value: { a: 1 } })
})

test.each(['[]', 'null', '"text"', '{', ''])('reports the problem of %s', (text) => {
  expect(readObject(text)).toEqual({ problem: expect.any(String) })
})

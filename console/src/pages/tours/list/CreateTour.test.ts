import { expect, test } from 'vitest'
import { encode, readTour } from './CreateTour.tsx'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a tour is read alone and inside an API response', () => {
  expect(readTour(bytes('{"id":"a","label":"A"}'))).toEqual({ id: 'a', label: 'A' })
  expect(readTour(bytes('{"success":true,"tour":{"id":"a"}}'))).toEqual({ id: 'a' })
})

test.each(['{"format":"tutti.recipe"}', 'PK', '[1]', '{', ''])('%j is not read as a tour', (text) => {
  expect(readTour(bytes(text))).toBeUndefined()
})

test('a large file is encoded completely', () => {
  const large = new Uint8Array(100_000).map((_, index) => index % 256)
  expect(encode(large)).toBe(Buffer.from(large).toString('base64'))
})

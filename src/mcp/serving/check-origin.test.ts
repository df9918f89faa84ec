import { expect, test } from 'vitest'
import { isOwnOrigin } from './check-origin.ts'

const host = 'localhost:3000'
const publicUrl = undefined

test('programs, which have no origin, may ask', () => {
  expect(isOwnOrigin({ origin: undefined, host, publicUrl })).toBe(true)
})

test.each([
  ['http://localhost:3000', 'localhost:3000', undefined, true],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', undefined, true],
  ['http://[::1]:3000', '[::1]:3000', undefined, true],
  ['https://tutti.example', 'tutti.example', 'https://tutti.example/', true],
  ['https://tutti.example', 'inside:3000', 'https://tutti.example', true],
  ['http://localhost:8080', 'localhost:3000', undefined, false],
  ['https://evil.example', 'localhost:3000', undefined, false],
  // A name that was made to lead here.
  ['http://evil.example:3000', 'evil.example:3000', undefined, false],
  ['http://evil.example', 'evil.example', 'https://tutti.example', false],
  ['null', 'localhost:3000', undefined, false],
  ['', 'localhost:3000', undefined, false],
])('%s at %s, known as %s: %s', (origin, asked, known, expected) => {
  expect(isOwnOrigin({ origin, host: asked, publicUrl: known })).toBe(expected)
})

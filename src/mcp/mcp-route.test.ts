import { expect, test } from 'vitest'
import { isOwnOrigin } from './mcp-route.ts'

const host = 'localhost:3000'
const publicUrl = undefined

test('a request without an origin is allowed', () => {
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
  // DNS rebinding: a foreign name that resolves to this machine.
  ['http://evil.example:3000', 'evil.example:3000', undefined, false],
  ['http://evil.example', 'evil.example', 'https://tutti.example', false],
  ['null', 'localhost:3000', undefined, false],
  ['', 'localhost:3000', undefined, false],
])('origin %s, host %s, public URL %s: %s', (origin, requestHost, configuredUrl, expected) => {
  expect(isOwnOrigin({ origin, host: requestHost, publicUrl: configuredUrl })).toBe(expected)
})

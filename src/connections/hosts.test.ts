import { expect, test } from 'vitest'
import { isAllowedHost, readHost } from './hosts.ts'

test.each([
  ['API.Example.com', 'api.example.com'],
  ['api.example.com:8443', 'api.example.com:8443'],
  ['*.example.com', '*.example.com'],
  ['127.0.0.1:9', '127.0.0.1:9'],
  ['[::1]', '[::1]'],
])('%s is a host', (given, read) => {
  expect(readHost(given)).toBe(read)
})

test.each([
  '',
  '*',
  '*.*.example.com',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'a b',
  'example.com:0x50',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  'münchen.example',
])('%j is not a host', (given) => {
  expect(readHost(given)).toBeUndefined()
})

test.each([
  ['https://api.example.com/a', ['api.example.com'], true],
  ['https://API.example.com:8443/', ['api.example.com'], true],
  ['https://api.example.com/', ['api.example.com:443'], true],
  ['http://api.example.com/', ['api.example.com:443'], false],
  ['https://api.example.com:8443/', ['api.example.com:443'], false],
  ['https://example.com/', ['*.example.com'], false],
  ['https://a.b.example.com/', ['*.example.com'], true],
  ['https://evilexample.com/', ['*.example.com'], false],
  ['https://api.example.com.evil.test/', ['api.example.com'], false],
  ['https://api.example.com@evil.test/', ['api.example.com'], false],
  ['http://2130706433/', ['127.0.0.1'], true],
  ['http://[::1]:80/', ['[::1]:80'], true],
  ['https://a.test/', [], false],
])('%s with %j: %s', (url, allowed, expected) => {
  expect(isAllowedHost(url, allowed)).toBe(expected)
})

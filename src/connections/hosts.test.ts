import { expect, test } from 'vitest'
import { checkHost, readHost } from './hosts.ts'

test.each([
  ['API.Example.com', 'api.example.com'],
  ['api.example.com:8443', 'api.example.com:8443'],
  ['*.example.com', '*.example.com'],
  ['127.0.0.1:9', '127.0.0.1:9'],
  ['[::1]', '[::1]'],
  ['https://API.example.com', 'api.example.com'],
  ['HTTP://API.internal:8080', 'http://api.internal:8080'],
  ['http://*.internal', 'http://*.internal'],
  ['http://[::1]:80', 'http://[::1]:80'],
])('%s is a host', (given, read) => {
  expect(readHost(given)).toBe(read)
})

test.each([
  '',
  '*',
  '*.*.example.com',
  'https://example.com/',
  'https://http://example.com',
  'http://',
  'http:example.com',
  'ftp://example.com',
  'http://user@example.com',
  'http://127.1',
  'example.com:70000',
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
  ['https://api.example.com/a', ['api.example.com'], 'allowed'],
  ['https://API.example.com:8443/', ['api.example.com'], 'allowed'],
  ['https://api.example.com/', ['api.example.com:443'], 'allowed'],
  ['http://api.example.com/', ['api.example.com:443'], 'other_host'],
  ['https://api.example.com:8443/', ['api.example.com:443'], 'other_host'],
  ['https://example.com/', ['*.example.com'], 'other_host'],
  ['https://a.b.example.com/', ['*.example.com'], 'allowed'],
  ['https://evilexample.com/', ['*.example.com'], 'other_host'],
  ['https://api.example.com.evil.test/', ['api.example.com'], 'other_host'],
  ['https://api.example.com@evil.test/', ['api.example.com'], 'other_host'],
  ['https://a.test/', [], 'other_host'],
  ['http://api.example.com/', ['api.example.com'], 'not_encrypted'],
  ['http://api.example.com/', ['api.example.com:80'], 'not_encrypted'],
  ['http://a.b.example.com:8080/', ['*.example.com'], 'not_encrypted'],
  ['http://2130706433/', ['127.0.0.1'], 'not_encrypted'],
  ['http://2130706433/', ['http://127.0.0.1'], 'allowed'],
  ['http://[::1]:80/', ['http://[::1]:80'], 'allowed'],
  ['http://api.example.com:8080/', ['http://api.example.com'], 'allowed'],
  ['http://api.example.com:8080/', ['http://api.example.com:9090'], 'other_host'],
  ['http://a.example.com/', ['http://*.example.com'], 'allowed'],
  ['http://api.example.com/', ['api.example.com', 'http://api.example.com'], 'allowed'],
  ['https://api.example.com/', ['http://api.example.com'], 'other_host'],
])('%s with %j: %s', (url, allowed, expected) => {
  expect(checkHost(url, allowed)).toBe(expected)
})

import { expect, test } from 'vitest'
import { readServerUrl } from './server-url.ts'

test.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['https://api.openai.com/v1//', 'https://api.openai.com/v1'],
  ['http://LOCALHOST:8080/', 'http://localhost:8080'],
])('%s is %s', (address, url) => {
  expect(readServerUrl(address)).toBe(url)
})

test.each([
  ['localhost:8080', 'must be a URL starting with http:// or https://'],
  ['ftp://files.example', 'must be a URL starting with http:// or https://'],
  ['https://me:secret@proxy.example/v1', 'must not contain a user name or password'],
  ['https://proxy.example/v1?key=1', 'must not contain "?" or "#"'],
])('%s is refused', (address, why) => {
  expect(() => readServerUrl(address)).toThrow(why)
})

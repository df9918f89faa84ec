import { describe, expect, test } from 'vitest'
import { dropContent, dropCredentials, prepareHeaders } from './request-headers.ts'

describe('request headers', () => {
  test('are the caller’s headers and the default ones', () => {
    expect(prepareHeaders({ 'X-Thing': 'a', 'User-Agent': 'mine' }, 'application/json')).toEqual({
      'user-agent': 'mine',
      accept: 'application/json',
      'x-thing': 'a',
      'accept-encoding': 'identity',
    })
  })

  test.each([
    { Host: 'internal' },
    { 'content-length': '5' },
    { 'Transfer-Encoding': 'chunked' },
    { Connection: 'keep-alive' },
    { upgrade: 'h2c' },
    { 'Proxy-Authorization': 'x' },
    { 'accept-encoding': 'gzip' },
    { expect: '100-continue' },
    { 'x-a': 'b\r\nHost: internal' },
    { 'x-a': 'b\nc' },
    { 'x-a': 'b\0c' },
    { 'x-a': 'snow ☃' },
    { 'x-a\r\nHost': 'internal' },
    { 'x a': 'b' },
    { 'x:a': 'b' },
    { '': 'b' },
    { 'x-a': 'b'.repeat(40_000) },
  ])('%j are refused', (headers) => {
    expect(() => prepareHeaders(headers as Record<string, string>, undefined)).toThrow(
      expect.objectContaining({ code: 'outbound_invalid_request', retryable: false }),
    )
  })

  test('that could be credentials are not sent to another origin', () => {
    const headers = {
      authorization: 'a',
      cookie: 'b',
      'x-api-key': 'c',
      'webhook-signature': 'd',
      accept: 'e',
      'x-id': 'f',
    }
    expect(dropCredentials(headers)).toEqual({ accept: 'e', 'x-id': 'f' })
  })

  test('about content are dropped with the content', () => {
    expect(dropContent({ 'content-type': 'a', 'content-language': 'b', accept: 'c' })).toEqual({
      accept: 'c',
    })
  })
})

import { describe, expect, test } from 'vitest'
import { createHeaderFilter, headersForCaller } from './passed-headers.ts'

const passOn = (raw: readonly string[], keepCredentials = true) =>
  createHeaderFilter({ keepCredentials, via: 'tutti-1' })(raw)

describe('forwarded headers', () => {
  test('contain the end-to-end headers unchanged, without hop-by-hop headers', () => {
    const raw = [
      'Host',
      'here',
      'Content-Type',
      'application/json',
      'Connection',
      'keep-alive',
      'X-Own',
      '1',
      'X-Own',
      '2',
    ]
    expect(
      passOn([...raw, 'Content-Length', '2', 'Transfer-Encoding', 'chunked', 'Expect', '100-continue']),
    ).toEqual(['Content-Type', 'application/json', 'X-Own', '1', 'X-Own', '2', 'via', '1.1 tutti-1'])
  })

  test('keep earlier Via entries', () => {
    expect(passOn(['Via', '1.1 a', 'via', '1.1 b'])).toEqual(['via', '1.1 a, 1.1 b, 1.1 tutti-1'])
  })

  test('drop the credentials of this service and keep those for the node', () => {
    const raw = ['Authorization', 'Bearer secret', 'X-API-Key', 'secret']
    expect(passOn(raw, false)).toEqual(['via', '1.1 tutti-1'])
    expect(passOn(raw)).toEqual([...raw, 'via', '1.1 tutti-1'])
  })

  test('drop the options for this service', () => {
    expect(passOn(['X-Cluster-Strategy', 'weighted', 'X-Priority', 'high'])).toEqual(['via', '1.1 tutti-1'])
  })

  test('of a response contain each header that this service sets once', () => {
    const headers = [
      'Content-Type',
      'application/json',
      'Set-Cookie',
      'a=1',
      'X-Request-Id',
      '7',
      'Set-Cookie',
      'b=2',
    ]
    expect(headersForCaller({ headers }, ['x-request-id', 'abc'])).toEqual([
      'Content-Type',
      'application/json',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'x-request-id',
      'abc',
    ])
  })
})

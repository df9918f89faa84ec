import { describe, expect, test } from 'vitest'
import { readSliceList, readWatchEvent, urlsOf } from './endpoint-slice.ts'

const metadata = { name: 'nodes-abc', resourceVersion: '7' }
const ports = [{ name: 'http', port: 11_434 }]

describe('the pods of a slice', () => {
  test.each([
    [
      'are those that are ready',
      [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      ['http://10.0.0.1:11434'],
    ],
    ['are those that do not tell', [{ addresses: ['10.0.0.1'] }], ['http://10.0.0.1:11434']],
    ['are not those that are not ready', [{ addresses: ['10.0.0.1'], conditions: { ready: false } }], []],
    [
      'are not those that leave',
      [{ addresses: ['10.0.0.1'], conditions: { ready: true, terminating: true } }],
      [],
    ],
    ['are none without an address', [{ addresses: [] }], []],
    ['are none when the list is null', null, []],
  ])('%s', (_what, endpoints, urls) => {
    expect(urlsOf({ metadata, addressType: 'IPv4', ports, endpoints })).toEqual(urls)
  })

  test('are addresses of their family', () => {
    const endpoints = [{ addresses: ['fd00::1'] }]
    expect(urlsOf({ metadata, addressType: 'IPv6', ports, endpoints })).toEqual(['http://[fd00::1]:11434'])
  })

  test('are empty without a port', () => {
    expect(urlsOf({ metadata, endpoints: [{ addresses: ['10.0.0.1'] }], ports: null })).toEqual([])
  })
})

describe('a line of a watch', () => {
  test.each([
    ['ADDED', { kind: 'changed', version: '7' }],
    ['MODIFIED', { kind: 'changed', version: '7' }],
    ['DELETED', { kind: 'deleted', version: '7' }],
    ['BOOKMARK', { kind: 'bookmark', version: '7' }],
  ])('%s is parsed', (type, event) => {
    expect(readWatchEvent(JSON.stringify({ type, object: { metadata, ports } }))).toMatchObject(event)
  })

  test('reports an expired version', () => {
    const line = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })
    expect(readWatchEvent(line)).toEqual({ kind: 'expired' })
  })

  test.each(['{', '[]', '{"type":"ERROR","object":{"code":500}}', '{"type":"ADDED","object":{}}'])(
    'that is invalid (%s) is an error',
    (line) => {
      expect(() => readWatchEvent(line)).toThrow()
    },
  )

  test('an invalid list is an error', () => {
    expect(() => readSliceList({ items: [] })).toThrow()
    expect(readSliceList({ metadata: { resourceVersion: '1' }, items: [{ metadata }] }).items).toHaveLength(1)
  })
})

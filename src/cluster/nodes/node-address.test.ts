import { describe, expect, test } from 'vitest'
import { localAddress, nodeId, parseNodeEntry } from './node-address.ts'

describe('an entry of CLUSTER_NODES', () => {
  test.each([
    ['http://gpu1:11434', 'http://gpu1:11434', 1],
    ['http://gpu1:11434/', 'http://gpu1:11434', 1],
    ['http://gpu1:11434=2', 'http://gpu1:11434', 2],
    ['HTTPS://GPU1.example.com=10', 'https://gpu1.example.com', 10],
    ['http://gateway/nodes/a/=3', 'http://gateway/nodes/a', 3],
    ['http://[::1]:11434', 'http://[::1]:11434', 1],
  ])('%s is parsed to address and weight', (entry, url, weight) => {
    expect(parseNodeEntry(entry)).toEqual({ url, weight, source: 'config' })
  })

  test.each([
    ['gpu1:11434', 'has "gpu1:11434", which must start with http:// or https://'],
    ['http://', 'has "http://", which is not a valid address'],
    ['http://gpu1:99999', 'has "http://gpu1:99999", which is not a valid address'],
    ['http://gpu1?a=1', 'has "http://gpu1?a=1", which must end before any "?" or "#"'],
    ['http://gpu1=0', 'has "http://gpu1=0", whose weight must be a whole number from 1 to 1000'],
    ['http://gpu1=1.5', 'whose weight must be a whole number'],
    ['http://gpu1=', 'whose weight must be a whole number'],
    ['http://gpu1=heavy', 'whose weight must be a whole number'],
    ['ftp://gpu1', 'must start with http:// or https://'],
  ])('%s is refused with the entry in the message', (entry, message) => {
    expect(() => parseNodeEntry(entry)).toThrow(message)
  })

  test('with a password is rejected without repeating it', () => {
    expect(() => parseNodeEntry('http://me:hunter2@gpu1')).toThrow(
      /^(?!.*hunter2).*must not contain a user name/,
    )
  })
})

describe('the id of a node', () => {
  test('is readable and safe in a path', () => {
    expect(nodeId('http://gpu1:11434')).toMatch(/^gpu1-11434-[0-9a-f]{6}$/)
    expect(nodeId('https://GPU1.example.com')).toMatch(/^gpu1.example.com-443-[0-9a-f]{6}$/)
    expect(nodeId('http://[fe80::1]:11434')).toMatch(/^fe80-1-11434-[0-9a-f]{6}$/)
  })

  test('is the same for every name of this machine', () => {
    const ids = [
      'http://localhost:11434',
      'http://127.0.0.1:11434',
      'http://[::1]:11434',
      localAddress(11434).url,
    ]
    expect(new Set(ids.map(nodeId)).size).toBe(1)
  })

  test('differs with the path, the port and the scheme', () => {
    const urls = ['http://a:80', 'http://a:81', 'https://a:80', 'http://a/80', 'http://a-80']
    expect(new Set(urls.map(nodeId)).size).toBe(urls.length)
  })
})

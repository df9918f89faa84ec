import { describe, expect, test } from 'vitest'
import { isPrivateName, parseTarget } from './target.ts'

describe('a target', () => {
  test('is parsed with its port and without its fragment', () => {
    const { url, host, port, address } = parseTarget('HTTPS://Hooks.Example.COM.:8443/a/../b?c=1#d')
    expect({ url: url.href, host, port, address }).toEqual({
      url: 'https://hooks.example.com:8443/b?c=1',
      host: 'hooks.example.com',
      port: 8443,
      address: undefined,
    })
    expect(parseTarget('http://example.com').port).toBe(80)
    expect(parseTarget('https://example.com').port).toBe(443)
  })

  test.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://１２７.０.０.１/', '127.0.0.1'],
    ['http://127。0。0。1/', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['http://127%2e0%2e0%2e1/', '127.0.0.1'],
    ['http:\\\\127.0.0.1\\', '127.0.0.1'],
    ['http:127.0.0.1', '127.0.0.1'],
    [' http://127.0\n.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '127.0.0.1'],
    ['http://[0:0:0:0:0:ffff:7f00:0001]/', '127.0.0.1'],
  ])('%j means %s', (text, address) => {
    expect(parseTarget(text).address?.toString()).toBe(address)
  })

  test.each([
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['http://user@example.com/', 'credentials'],
    ['http://user:password@example.com/', 'credentials'],
    ['http://:password@example.com/', 'credentials'],
    ['http://example.com@127.0.0.1/', 'credentials'],
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['//example.com', 'malformed'],
    ['http://', 'malformed'],
    ['http://./', 'malformed'],
    ['http://a..b/', 'malformed'],
    ['http://example.com:99999/', 'malformed'],
    ['http://[fe80::1%25eth0]/', 'malformed'],
    ['http://[::1/', 'malformed'],
    ['http://256.256.256.256/', 'malformed'],
    ['http://1.2.3.4.5/', 'malformed'],
    ['http://exa mple.com/', 'malformed'],
    ['http://example.com%00.evil/', 'malformed'],
    ['http://a(b)/', 'malformed'],
    [`http://example.com/${'x'.repeat(9000)}`, 'malformed'],
    [`http://${'a'.repeat(64)}.com/`, 'malformed'],
  ])('%j is refused as %s', (text, reason) => {
    expect(() => parseTarget(text)).toThrow(
      expect.objectContaining({ code: 'outbound_refused', details: { reason } }),
    )
  })

  test('private names are recognised', () => {
    for (const name of [
      'localhost',
      'a.localhost',
      'metadata.google.internal',
      'metadata',
      'printer.local',
      'x.home.arpa',
    ]) {
      expect(isPrivateName(name)).toBe(true)
    }
    for (const name of [
      'example.com',
      'localhost.example.com',
      'internal.example.com',
      'notlocalhost',
      'local',
    ]) {
      expect(isPrivateName(name)).toBe(false)
    }
  })
})

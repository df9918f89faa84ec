import { describe, expect, test } from 'vitest'
import { readFrameAddress, tellAddress } from './frame-address.ts'

const here = { origin: 'https://tutti.example', protocol: 'https:' }

describe('the address of the page to show', () => {
  test.each([
    ['/users?page=2', 'https://tutti.example/users?page=2', true],
    [' https://tutti.example/roles ', 'https://tutti.example/roles', true],
    ['https://shop.example/a', 'https://shop.example/a', false],
    ['shop.example/a', 'https://shop.example/a', false],
    ['shop.example:8443', 'https://shop.example:8443/', false],
    ['http://localhost:8080/x', 'http://localhost:8080/x', false],
  ])('%s opens %s', (text, href, isOwn) => {
    expect(readFrameAddress(text, here)).toEqual({ href, isOwn })
  })

  test.each(['', '  ', 'javascript://%0aalert(1)', 'data://x', 'http://shop.example/', 'https://', 'a b:c'])(
    '%j is refused with a reason',
    (text) => {
      expect(readFrameAddress(text, here)).toHaveProperty('problem')
    },
  )

  test('a page over plain http shows any page', () => {
    const plain = { origin: 'http://tutti.example', protocol: 'http:' }
    expect(readFrameAddress('http://shop.example/', plain)).toHaveProperty('href')
  })

  test('a path that resolves to another site is treated as one, and shown in full', () => {
    const read = readFrameAddress('//evil.example/x', here)
    expect(read).toEqual({ href: 'https://evil.example/x', isOwn: false })
    expect(tellAddress('https://evil.example/x', here.origin)).toBe('https://evil.example/x')
    expect(tellAddress('https://tutti.example/users', here.origin)).toBe('/users')
  })
})

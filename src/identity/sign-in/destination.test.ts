import { describe, expect, test } from 'vitest'
import { localDestination } from './destination.ts'

describe('a local destination is kept', () => {
  test.each([
    ['/', '/'],
    ['/flows', '/flows'],
    ['/flows/12?tab=steps&x=%2F%2Fevil.example#last', '/flows/12?tab=steps&x=%2F%2Fevil.example#last'],
    ['/tours/été', '/tours/%C3%A9t%C3%A9'],
    ['/search?q=a b', '/search?q=a%20b'],
    ['/a//b', '/a//b'],
    ['/redirect?to=https://evil.example/', '/redirect?to=https://evil.example/'],
    ['/user/profile', '/user/profile'],
  ])('%s', (given, kept) => {
    expect(localDestination(given)).toBe(kept)
  })
})

describe('any other destination is replaced by the start page', () => {
  test.each([
    'https://evil.example/',
    'HTTPS://evil.example/',
    'http:evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/path\\..\\evil',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/\u0000/evil.example',
    '/\u007f/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '@evil.example',
    '?x=1',
    '#x',
    '',
    '/user/login',
    '/user/login?destination=/user/login',
    '/user/logout',
    `/${'x'.repeat(8192)}`,
  ])('%j', (given) => {
    expect(localDestination(given)).toBe('/')
  })

  test.each([[undefined], [null], [['/a', '/b']], [{}], [1]])('%j', (given) => {
    expect(localDestination(given)).toBe('/')
  })
})

test('every accepted destination stays on the host when a browser follows it', () => {
  const pieces = [
    '/',
    '\\',
    '//',
    '.',
    '..',
    '%2f',
    '%5c',
    '\t',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'https:',
    ' ',
    '／',
  ]
  const combine = (starts: readonly string[]) =>
    starts.flatMap((start) => pieces.map((piece) => start + piece))
  const leavingHost = combine(combine(combine(pieces))).filter(
    (given) => new URL(localDestination(given), 'https://tutti.example/user/login').host !== 'tutti.example',
  )
  expect(leavingHost).toEqual([])
})

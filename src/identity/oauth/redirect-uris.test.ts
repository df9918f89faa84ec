import { describe, expect, test } from 'vitest'
import { describeRedirectTarget, findRedirectUriProblem, formActionOf } from './redirect-uris.ts'

describe('redirect URIs', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/callback',
  ])('%s is accepted', (uri) => {
    expect(findRedirectUriProblem(uri, false)).toBeUndefined()
  })

  test.each([
    '/callback',
    'app.example/callback',
    'http://app.example/callback',
    'http://localhost.evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://192.168.0.1/callback',
    'https:app.example/callback',
    'https:///app.example/callback',
    'https://app.example/callback#part',
    'https://app.example/*',
    'https://*.app.example/callback',
    'https://user@app.example/callback',
    'https://user:password@app.example/callback',
    'https://app.example/call back',
    'https://app.example\\@evil.example/',
    'https://app.example/\u202e',
    'https://app.example/\tcallback',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'about:blank',
    'com.example.app:/callback',
    `https://app.example/${'a'.repeat(2000)}`,
    '',
  ])('%j is refused', (uri) => {
    expect(findRedirectUriProblem(uri, false)).toBeTypeOf('string')
  })

  test('a public client may use a private-use scheme', () => {
    expect(findRedirectUriProblem('com.example.app:/callback', true)).toBeUndefined()
    expect(findRedirectUriProblem('javascript:alert(1)', true)).toBeTypeOf('string')
    expect(findRedirectUriProblem('myapp:/callback', true)).toBeTypeOf('string')
    expect(findRedirectUriProblem('com.example.app://callback', true)).toBeTypeOf('string')
    expect(findRedirectUriProblem('java.script:alert(1)', true)).toBeTypeOf('string')
  })
})

test('form-action is the origin of the redirect URI, or its private-use scheme', () => {
  expect(formActionOf('https://app.example:8443/callback?x=1')).toBe('https://app.example:8443')
  expect(formActionOf('com.example.app:/callback')).toBe('com.example.app:')
})

test('the consent page names the host or the application of a redirect URI', () => {
  expect(describeRedirectTarget('https://app.example:8443/callback')).toBe('app.example:8443')
  expect(describeRedirectTarget('com.example.app:/callback')).toBe(
    'the application com.example.app on this device',
  )
})

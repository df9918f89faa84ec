import { describe, expect, test } from 'vitest'
import { matchesRoute, pathOfRoute } from './match-route.ts'

const at = (path: string, route: string | null = null) => ({ path, route })

describe('matching a page', () => {
  test.each([
    ['/users', '/users', true],
    ['/users', '/users/', true],
    ['/users/', '/users', true],
    ['/users', '/users/7', false],
    ['/users', '/Users', false],
    ['/users/*', '/users/7', true],
    ['/users/*', '/users/7/edit', true],
    ['/users/*', '/users', false],
    ['/users/*/edit', '/users/7/edit', true],
    ['/users/*/edit', '/users/7/groups/2/edit', true],
    ['/users/*/edit', '/users/7/view', false],
    ['*', '/users', false],
    ['/*', '/', true],
    ['/*', '/anything/at/all', true],
    ['<front>', '/', true],
    ['<front>', '/home', false],
    ['/caf%C3%A9', '/café', true],
    ['/café', '/caf%C3%A9', true],
    ['/broken%', '/broken%', true],
    ['/a.c', '/abc', false],
  ])('route %s and path %s: %s', (route, path, expected) => {
    expect(matchesRoute(route, at(path))).toBe(expected)
  })

  test('a route name matches only the name that the page declares', () => {
    expect(matchesRoute('user.login', at('/user/login', 'user.login'))).toBe(true)
    expect(matchesRoute('user.login', at('/user/login', 'user.register'))).toBe(false)
    expect(matchesRoute('user.login', at('/user/login'))).toBe(false)
    expect(matchesRoute('user.*', at('/', 'user.login'))).toBe(false)
  })

  test('a pattern of wildcards only takes no longer than others', () => {
    const pattern = `/${'*a'.repeat(500)}b`
    expect(matchesRoute(pattern, at(`/${'a'.repeat(2_000)}`))).toBe(false)
  })
})

test('only a route with a single path can be opened', () => {
  expect(pathOfRoute('<front>')).toBe('/')
  expect(pathOfRoute('/users')).toBe('/users')
  expect(pathOfRoute('/users/*')).toBeUndefined()
  expect(pathOfRoute('user.login')).toBeUndefined()
  for (const elsewhere of [
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/a\\..\\b',
    'javascript:1',
  ]) {
    expect(pathOfRoute(elsewhere)).toBeUndefined()
  }
})

import { describe, expect, test } from 'vitest'
import { isUsername, usernameKey } from './user-rules.ts'

describe('a username', () => {
  test.each([
    'a',
    'admin',
    'Clara Schumann',
    "o'neill",
    'x.y_z-1@example.org',
    'Дмитрий',
    '武満',
    'é',
    'e\u0301',
  ])('may be %s', (name) => expect(isUsername(name)).toBe(true))

  test.each(['', ' ', ' a', 'a ', 'a:b', 'a\nb', 'a\u0000', '-a', '<b>', 'a"b', 'a\u202eb', 'x'.repeat(65)])(
    'may not be %j',
    (name) => expect(isUsername(name)).toBe(false),
  )
})

test('equivalent spellings of a username have the same key', () => {
  expect(usernameKey(' ADMIN ')).toBe('admin')
  expect(usernameKey('ａｄｍｉｎ')).toBe('admin')
  expect(usernameKey('É')).toBe(usernameKey('e\u0301'))
})

import { expect, test } from 'vitest'
import { createVerifiedPasswords } from './verified-passwords.ts'

const given = { username: 'ada', password: 'right' }

test('remembers a password for its time and for its hash only', () => {
  let now = 0
  const verified = createVerifiedPasswords({ keepMs: 1000, now: () => now })
  verified.remember(given, 'hash')
  expect(verified.has(given, 'hash')).toBe(true)
  expect(verified.has({ ...given, password: 'wrong' }, 'hash')).toBe(false)
  now = 1000
  expect(verified.has(given, 'hash')).toBe(false)

  verified.remember(given, 'hash')
  expect(verified.has(given, 'another hash')).toBe(false)
  expect(verified.has(given, 'hash')).toBe(false)
  verified.remember(given, null)
  expect(verified.has(given, null)).toBe(false)
})

test('does not take one half of a name and a password for another', () => {
  const verified = createVerifiedPasswords()
  verified.remember({ username: 'ab', password: 'c' }, 'hash')
  expect(verified.has({ username: 'a', password: 'bc' }, 'hash')).toBe(false)
})

test('holds so many and lets the oldest go', () => {
  const verified = createVerifiedPasswords({ capacity: 2 })
  for (const username of ['one', 'two', 'three']) verified.remember({ ...given, username }, 'hash')
  expect(['one', 'two', 'three'].map((username) => verified.has({ ...given, username }, 'hash'))).toEqual([
    false,
    true,
    true,
  ])
})

test('callers who ask for the same at once share one check, also when it fails', async () => {
  const verified = createVerifiedPasswords()
  let checks = 0
  const failing = async () => {
    checks += 1
    await Promise.resolve()
    throw new Error('wrong')
  }
  const asked = [1, 2, 3].map(() => verified.share(given, '192.0.2.1', failing))
  asked.push(verified.share(given, '192.0.2.2', failing))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(checks).toBe(2)
  expect(await verified.share(given, '192.0.2.1', async () => 'checked anew')).toBe('checked anew')
})

import { expect, test, vi } from 'vitest'
import { anonymousPrincipal } from '#kernel/http'
import type { ResolvedCredential } from '../users/account.ts'
import { createAccountCache, createVerifiedPasswords, readBasicCredentials } from './authenticate.ts'

const given = { username: 'ada', password: 'right' }

test('a verified password is cached for its lifetime and its stored hash only', () => {
  let now = 0
  const verified = createVerifiedPasswords({ keepMs: 1000, now: () => now })
  verified.add(given, 'hash')
  expect(verified.has(given, 'hash')).toBe(true)
  expect(verified.has({ ...given, password: 'wrong' }, 'hash')).toBe(false)
  now = 1000
  expect(verified.has(given, 'hash')).toBe(false)

  verified.add(given, 'hash')
  expect(verified.has(given, 'another hash')).toBe(false)
  expect(verified.has(given, 'hash')).toBe(false)
  verified.add(given, null)
  expect(verified.has(given, null)).toBe(false)
})

test('username and password are not concatenated ambiguously', () => {
  const verified = createVerifiedPasswords()
  verified.add({ username: 'ab', password: 'c' }, 'hash')
  expect(verified.has({ username: 'a', password: 'bc' }, 'hash')).toBe(false)
})

test('the oldest entry is evicted at capacity', () => {
  const verified = createVerifiedPasswords({ capacity: 2 })
  for (const username of ['one', 'two', 'three']) verified.add({ ...given, username }, 'hash')
  expect(['one', 'two', 'three'].map((username) => verified.has({ ...given, username }, 'hash'))).toEqual([
    false,
    true,
    true,
  ])
})

test('concurrent checks of the same password from one address share one hash computation, also when it fails', async () => {
  const verified = createVerifiedPasswords()
  let checks = 0
  const failing = async () => {
    checks += 1
    await Promise.resolve()
    throw new Error('wrong')
  }
  const pending = [1, 2, 3].map(() => verified.share(given, '192.0.2.1', failing))
  pending.push(verified.share(given, '192.0.2.2', failing))
  const outcomes = await Promise.allSettled(pending)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(checks).toBe(2)
  expect(await verified.share(given, '192.0.2.1', async () => 'checked anew')).toBe('checked anew')
})

const encode = (text: string) => Buffer.from(text).toString('base64')

test('the first colon separates the username from the password', () => {
  expect(readBasicCredentials(encode('ada:a:b'))).toEqual({ username: 'ada', password: 'a:b' })
  expect(readBasicCredentials(encode('ada:'))).toEqual({ username: 'ada', password: '' })
  expect(readBasicCredentials(encode('Ådä:pässwörd'))).toEqual({ username: 'Ådä', password: 'pässwörd' })
})

test.each(['', '***', encode('ada'), encode(':password'), 'YWRhOng= x'])(
  '%j is not valid Basic credentials',
  (encoded) => {
    expect(readBasicCredentials(encoded)).toBeUndefined()
  },
)

const resolved = { principal: anonymousPrincipal, expiresAt: null }

test('a value is loaded once, and again after its lifetime', async () => {
  let now = 0
  const credentials = createAccountCache<ResolvedCredential>({ keepMs: 1000, now: () => now })
  const load = vi.fn(async () => resolved)
  await credentials.find('a', load)
  now = 999
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(1)
  now = 1000
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('undefined is never cached', async () => {
  const credentials = createAccountCache<ResolvedCredential>()
  const load = vi.fn(async () => undefined)
  await credentials.find('a', load)
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a value that was loading when the cache was cleared is not cached', async () => {
  const credentials = createAccountCache<ResolvedCredential>()
  const load = vi.fn(async () => {
    if (load.mock.calls.length === 1) credentials.clear()
    return resolved
  })
  await credentials.find('a', load)
  await credentials.find('a', load)
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('the oldest entry is evicted at capacity', async () => {
  const credentials = createAccountCache<ResolvedCredential>({ capacity: 2 })
  const load = vi.fn(async () => resolved)
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await credentials.find(key, load)
  expect(load).toHaveBeenCalledTimes(4)
})

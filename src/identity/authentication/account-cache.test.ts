import { expect, test, vi } from 'vitest'
import { anonymousPrincipal } from '#kernel/http'
import { createAccountCache, type ResolvedCredential } from './account-cache.ts'

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

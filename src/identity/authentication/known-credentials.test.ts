import { expect, test, vi } from 'vitest'
import { nobody } from '#kernel/http'
import { createKnown, type KnownCredential } from './known-credentials.ts'

const known = { principal: nobody, expiresAt: null }

test('a credential is looked up once, and again when its time is over', async () => {
  let now = 0
  const credentials = createKnown<KnownCredential>({ keepMs: 1000, now: () => now })
  const load = vi.fn(async () => known)
  await credentials.find('a', load)
  now = 999
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(1)
  now = 1000
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('one that does not hold is never remembered', async () => {
  const credentials = createKnown<KnownCredential>()
  const load = vi.fn(async () => undefined)
  await credentials.find('a', load)
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('an answer that was on its way when something changed is not remembered', async () => {
  const credentials = createKnown<KnownCredential>()
  const load = vi.fn(async () => {
    if (load.mock.calls.length === 1) credentials.forgetAll()
    return known
  })
  await credentials.find('a', load)
  await credentials.find('a', load)
  await credentials.find('a', load)
  expect(load).toHaveBeenCalledTimes(2)
})

test('the oldest makes room for the newest', async () => {
  const credentials = createKnown<KnownCredential>({ capacity: 2 })
  const load = vi.fn(async () => known)
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await credentials.find(key, load)
  expect(load).toHaveBeenCalledTimes(4)
})

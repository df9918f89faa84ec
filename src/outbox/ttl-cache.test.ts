import { expect, test } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

test('a value is loaded once while it is fresh, and again when it has expired', async () => {
  let loads = 0
  let time = 0
  const cache = createTtlCache({
    keepMs: 100,
    nameOf: (name: string) => name,
    load: async (name) => `${name} ${(loads += 1)}`,
    now: () => time,
  })
  expect(await Promise.all([cache('a'), cache('a'), cache('b')])).toEqual(['a 1', 'a 1', 'b 2'])
  time = 99
  expect(await cache('a')).toBe('a 1')
  time = 100
  expect(await cache('a')).toBe('a 3')
})

test('a failed load is not cached', async () => {
  let loads = 0
  const cache = createTtlCache({
    keepMs: 60_000,
    nameOf: () => 'it',
    async load() {
      loads += 1
      if (loads === 1) throw new Error('not now')
      return loads
    },
  })
  await expect(cache(undefined)).rejects.toThrow('not now')
  expect(await cache(undefined)).toBe(2)
})

test('a dropped value is loaded again, one by its name or all of them', async () => {
  let loads = 0
  const cache = createTtlCache({
    keepMs: 60_000,
    nameOf: (name: string) => name,
    load: async (name) => `${name} ${(loads += 1)}`,
  })
  await Promise.all([cache('a'), cache('b')])
  cache.forget('a')
  expect(await Promise.all([cache('a'), cache('b')])).toEqual(['a 3', 'b 2'])
  cache.forget()
  expect(await Promise.all([cache('a'), cache('b')])).toEqual(['a 4', 'b 5'])
})

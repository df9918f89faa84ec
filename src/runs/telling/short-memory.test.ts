import { expect, test } from 'vitest'
import { createShortMemory } from './short-memory.ts'

test('the same is asked once while the answer is fresh, and again when it is not', async () => {
  let asked = 0
  let time = 0
  const recall = createShortMemory({
    keepMs: 100,
    nameOf: (name: string) => name,
    ask: async (name) => `${name} ${(asked += 1)}`,
    now: () => time,
  })
  expect(await Promise.all([recall('a'), recall('a'), recall('b')])).toEqual(['a 1', 'a 1', 'b 2'])
  time = 99
  expect(await recall('a')).toBe('a 1')
  time = 100
  expect(await recall('a')).toBe('a 3')
})

test('a failure is not kept', async () => {
  let asked = 0
  const recall = createShortMemory({
    keepMs: 60_000,
    nameOf: () => 'it',
    async ask() {
      asked += 1
      if (asked === 1) throw new Error('not now')
      return asked
    },
  })
  await expect(recall(undefined)).rejects.toThrow('not now')
  expect(await recall(undefined)).toBe(2)
})

test('what is forgotten is asked again, one by its name or all of it', async () => {
  let asked = 0
  const recall = createShortMemory({
    keepMs: 60_000,
    nameOf: (name: string) => name,
    ask: async (name) => `${name} ${(asked += 1)}`,
  })
  await Promise.all([recall('a'), recall('b')])
  recall.forget('a')
  expect(await Promise.all([recall('a'), recall('b')])).toEqual(['a 3', 'b 2'])
  recall.forget()
  expect(await Promise.all([recall('a'), recall('b')])).toEqual(['a 4', 'b 5'])
})

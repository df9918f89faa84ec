import { expect, test } from 'vitest'
import { createModelListCache } from './fetch-model-list.ts'
import type { ProvidedModel } from './provider.ts'

const model = (id: string): ProvidedModel => ({
  id,
  ownedBy: 'acme',
  created: null,
  available: true,
  loaded: false,
  nodes: [],
  size: null,
  capabilities: [],
  contextLength: null,
  maxOutputTokens: null,
})

function listed() {
  const asked: (string | undefined)[] = []
  const state = { now: 0, fails: false }
  const list = createModelListCache({
    fetch: async (key) => {
      asked.push(key)
      if (state.fails) throw new Error('down')
      return [model(`of ${key}`)]
    },
    now: () => state.now,
  })
  return { list, state, asked }
}

test('concurrent readers share one fetch, and the list is cached for five minutes', async () => {
  const { list, state, asked } = listed()
  await Promise.all([list.read('a'), list.read('a')])
  state.now = 5 * 60_000 - 1
  expect(await list.read('a')).toMatchObject([{ id: 'of a', available: true }])
  expect(asked).toHaveLength(1)
  state.now = 5 * 60_000
  await list.read('a')
  expect(asked).toHaveLength(2)
})

test('a failure is cached for half a minute, and the models stay listed as unavailable', async () => {
  const { list, state, asked } = listed()
  await list.read('a')
  state.now = 5 * 60_000
  state.fails = true
  expect(await list.read('a')).toMatchObject([{ id: 'of a', available: false }])
  state.now += 29_999
  await list.read('a')
  expect(asked).toHaveLength(2)
  state.now += 1
  state.fails = false
  expect(await list.read('a')).toMatchObject([{ id: 'of a', available: true }])
})

test('another key gets its own list at once', async () => {
  const { list, state } = listed()
  await list.read('a')
  expect(await list.read('b')).toMatchObject([{ id: 'of b' }])
  state.fails = true
  expect(await list.read('c')).toEqual([])
})

test('refresh throws the failure and updates the cache', async () => {
  const { list, state, asked } = listed()
  expect(await list.refresh('a', new AbortController().signal)).toMatchObject([{ id: 'of a' }])
  await list.read('a')
  expect(asked).toHaveLength(1)
  state.fails = true
  await expect(list.refresh('a', new AbortController().signal)).rejects.toThrow('down')
  expect(await list.read('a')).toMatchObject([{ available: false }])
})

import { expect, test } from 'vitest'
import { createListedModels } from './listed-models.ts'
import type { ProvidedModel } from './provider.ts'

const model = (id: string): ProvidedModel => ({
  id,
  ownedBy: 'somebody',
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
  const list = createListedModels({
    ask: async (key) => {
      asked.push(key)
      if (state.fails) throw new Error('down')
      return [model(`of ${key}`)]
    },
    now: () => state.now,
  })
  return { list, state, asked }
}

test('a list is asked for once in five minutes, however many want it', async () => {
  const { list, state, asked } = listed()
  await Promise.all([list.read('a'), list.read('a')])
  state.now = 5 * 60_000 - 1
  expect(await list.read('a')).toMatchObject([{ id: 'of a', available: true }])
  expect(asked).toHaveLength(1)
  state.now = 5 * 60_000
  await list.read('a')
  expect(asked).toHaveLength(2)
})

test('a failure holds for half a minute, and the models stay listed without being available', async () => {
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

test('another key sees its own list at once', async () => {
  const { list, state } = listed()
  await list.read('a')
  expect(await list.read('b')).toMatchObject([{ id: 'of b' }])
  state.fails = true
  expect(await list.read('c')).toEqual([])
})

test('asking now tells why it failed, and refreshes what is remembered', async () => {
  const { list, state, asked } = listed()
  expect(await list.readNow('a', new AbortController().signal)).toMatchObject([{ id: 'of a' }])
  await list.read('a')
  expect(asked).toHaveLength(1)
  state.fails = true
  await expect(list.readNow('a', new AbortController().signal)).rejects.toThrow('down')
  expect(await list.read('a')).toMatchObject([{ available: false }])
})

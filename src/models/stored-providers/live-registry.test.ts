import { expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import type { CloudProvider } from '../providers/cloud-provider.ts'
import type { RegisteredProvider } from '../providers/registry.ts'
import { createLiveRegistry } from './live-registry.ts'
import type { StoredProvider } from './stored-provider.ts'

const log = createLogger({ level: 'silent', format: 'json' })

function rowOf(name: string, revision: string, enabled = true): StoredProvider {
  return {
    name,
    kind: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    headers: undefined,
    headerNames: [],
    models: undefined,
    defaultModel: undefined,
    priceList: undefined,
    enabled,
    problem: null,
    revision,
    createdAt: new Date(0),
    createdBy: null,
    updatedAt: new Date(0),
    updatedBy: null,
  }
}

/** A provider that records how it ends. */
function fakeProvider(name: string, ended: string[]): CloudProvider {
  return {
    name,
    list: async () => [],
    probe: async () => ({ state: 'online', problem: null, responseMs: 1 }),
    stream: () => {
      throw new Error('not called')
    },
    embed: async () => {
      throw new Error('not called')
    },
    close: async () => void ended.push(`closed ${name}`),
    [Symbol.asyncDispose]: async () => void ended.push(`destroyed ${name}`),
  }
}

function setUp(retireMs: number) {
  const ended: string[] = []
  const created: string[] = []
  const environment = (name: string, kind: RegisteredProvider['kind']): RegisteredProvider => ({
    provider: fakeProvider(name, ended),
    kind,
    source: 'environment',
    baseUrl: null,
    defaultModel: undefined,
    priceList: undefined,
  })
  let rows: ReadonlyMap<string, StoredProvider> = new Map()
  const registry = createLiveRegistry({
    environment: [environment('openai', 'openai'), environment('builtin', 'builtin')],
    stored: { read: async () => rows },
    create: ({ name, revision }) => {
      created.push(`${name} ${revision}`)
      return fakeProvider(name, ended)
    },
    log,
    retireMs,
  })
  return {
    registry,
    ended,
    created,
    store: (...stored: readonly StoredProvider[]) => {
      rows = new Map(stored.map((row) => [row.name, row]))
    },
    names: async () => [...(await registry.read()).keys()],
  }
}

test('stored providers come between those of the environment and the built-in one', async () => {
  const { registry, store, names, created } = setUp(1000)
  await using _ = registry
  expect(await names()).toEqual(['openai', 'builtin'])
  store(rowOf('a', '1'), rowOf('b', '1', false), rowOf('openai', '1'))
  expect(await names()).toEqual(['openai', 'a', 'builtin'])
  expect(await registry.read()).toBe(await registry.read())
  expect(created).toEqual(['a 1'])
})

test('an unchanged provider is kept, a changed or removed one is closed after its calls', async () => {
  const { registry, store, created, ended } = setUp(200)
  await using _ = registry
  store(rowOf('a', '1'), rowOf('b', '1'), rowOf('c', '1'))
  const before = await registry.read()
  store(rowOf('a', '1'), rowOf('b', '2'))
  const after = await registry.read()
  expect(after.get('a')?.provider).toBe(before.get('a')?.provider)
  expect(after.get('b')?.provider).not.toBe(before.get('b')?.provider)
  expect(created).toEqual(['a 1', 'b 1', 'c 1', 'b 2'])
  expect(ended).toEqual([])
  await expect.poll(() => ended.length).toBe(2)
  expect(ended).toEqual(['closed b', 'closed c'])
})

test('a registry that ends destroys all its providers, also those that wait to be closed', async () => {
  const { registry, store, ended } = setUp(60_000)
  store(rowOf('a', '1'), rowOf('b', '1'))
  await registry.read()
  store(rowOf('a', '1'))
  await registry.read()
  await registry[Symbol.asyncDispose]()
  expect(ended).toEqual(['destroyed b', 'destroyed a'])
})

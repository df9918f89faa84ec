import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { openPlatform } from '../support/platform.ts'
import {
  admin,
  type CallersSetting,
  nadia,
  openCallersSetting,
  placesOfAccounts,
  type Served,
} from './cluster-callers-setting.ts'
import { call } from './identity-calls.ts'
import { basic } from './identity-server.ts'

const messages = [{ role: 'user', content: 'Why?' }]

let setting: CallersSetting
let node: ModelNode

beforeAll(async () => {
  setting = await openCallersSetting()
  node = await startModelNode({ models: ['gemma3:4b', 'llama3:latest'], loaded: ['llama3:latest'] })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await setting[Symbol.asyncDispose]()
})

interface LimitedKey {
  readonly as: { readonly 'x-api-key': string }
  change(limits: object | null): Promise<void>
}

async function limitedKey(limits: object): Promise<LimitedKey> {
  const { body } = await call<{ id: string; key: string }>(setting.identity, 'POST /api/v1/api-keys', {
    as: basic(nadia.username, nadia.password),
    body: { name: 'a test', limits },
  })
  return {
    as: { 'x-api-key': body.key },
    async change(wanted) {
      const changed = await call(setting.identity, `PATCH /api/v1/api-keys/${body.id}`, {
        as: basic(admin.username, admin.password),
        body: { limits: wanted },
      })
      expect(changed.status).toBe(200)
    },
  }
}

describe.each(placesOfAccounts)('the limits of a key of a platform %s', (_where, serve) => {
  let served: Served
  let service: TestClusterService

  beforeAll(async () => {
    served = await serve({ ...setting, node })
    service = served.service
    await eventually(async () => (await service.get('/readyz')).ok)
  })
  afterAll(() => served[Symbol.asyncDispose]())

  const post = (path: string, body: object, { as }: LimitedKey) => service.post(path, body, { headers: as })
  const paths: readonly [string, (model: string) => object][] = [
    ['/api/generate', (model) => ({ model, prompt: 'Why?', stream: false })],
    ['/api/chat', (model) => ({ model, messages, stream: false })],
    ['/api/show', (model) => ({ model })],
    ['/v1/chat/completions', (model) => ({ model, messages })],
    ['/v1/messages', (model) => ({ model, messages, max_tokens: 5 })],
    ['/api/cluster/execute', (model) => ({ operation: 'generate', request: { model, prompt: 'Why?' } })],
  ]

  test.each(paths)('%s refuses a model outside the list', async (path, bodyFor) => {
    const key = await limitedKey({ models: ['gemma3:*'] })
    // The first request is authenticated by the framework; the second bypasses it.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect((await post(path, bodyFor('gemma3:4b'), key)).status).toBe(200)
      const refused = await post(path, bodyFor('llama3'), key)
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject(
        {
          '/v1/chat/completions': {
            error: { type: 'permission_error', param: 'model', code: 'model_not_allowed' },
          },
          '/v1/messages': { type: 'error', error: { type: 'permission_error' } },
          '/api/cluster/execute': { error: { code: 'model_not_allowed' } },
        }[path] ?? { error: expect.stringContaining("does not allow the model 'llama3'") },
      )
    }
  })

  test.each([
    { model: 'gemma3:4b', MODEL: 'llama3' },
    { name: 'gemma3:4b', Model: 'llama3' },
    { model: 'gemma3:4b', name: 'llama3' },
  ])('%j names only one model', async (body) => {
    const key = await limitedKey({ models: ['gemma3:4b'] })
    const refused = await post('/api/generate', { ...body, stream: false }, key)
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as { error: string }).error).toContain('second name of the model')
  })

  test('the lists show only allowed models', async () => {
    const { as } = await limitedKey({ models: ['gemma3:4b'] })
    const read = async (path: string) =>
      (await service.get(path, as)).json() as Promise<Record<string, unknown>>
    expect(await read('/api/tags')).toMatchObject({ models: [{ name: 'gemma3:4b' }] })
    expect(await read('/api/ps')).toEqual({ models: [] })
    expect(await read('/v1/models')).toMatchObject({ data: [{ id: 'gemma3:4b' }] })
    expect((await service.get('/v1/models/gemma3:4b', as)).status).toBe(200)
    expect((await service.get('/v1/models/llama3', as)).status).toBe(404)
  })

  test.each(paths)('%s counts requests', async (path, bodyFor) => {
    const key = await limitedKey({ requests_per_minute: 1 })
    expect((await post(path, bodyFor('gemma3:4b'), key)).status).toBe(200)
    const refused = await post(path, bodyFor('gemma3:4b'), key)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(JSON.stringify(await refused.json())).toContain('1 requests per minute')
  })

  test.each(paths.filter(([path]) => path !== '/api/show'))('%s counts tokens', async (path, bodyFor) => {
    const key = await limitedKey({ tokens_per_minute: 1 })
    expect((await post(path, bodyFor('gemma3:4b'), key)).status).toBe(200)
    const refused = await post(path, bodyFor('gemma3:4b'), key)
    expect(refused.status).toBe(429)
    expect(JSON.stringify(await refused.json())).toContain('1 tokens per minute')
  })

  test('a change applies without a restart', async () => {
    const key = await limitedKey({ models: ['llama3'] })
    const generate = async () =>
      (await post('/api/generate', { model: 'gemma3:4b', prompt: 'Why?', stream: false }, key)).status
    expect(await generate()).toBe(403)
    await key.change(null)
    await expect.poll(generate).toBe(200)
  })
})

const postTo = (url: string, headers: Record<string, string>, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test.each([
  ['requests', { requests_per_minute: 2 }, 2],
  ['tokens', { tokens_per_minute: 1 }, 1],
])('the platform and its own cluster count the %s of a key together', async (_unit, limits, calls) => {
  await using platform = await openPlatform({ CLUSTER_NODES: node.url, CLUSTER_API_KEY: 'correct horse' })
  await eventually(async () => (await fetch(`${platform.clusterUrl}/readyz`)).ok)
  const { username, password } = platform.admin
  const made = await postTo(`${platform.url}/api/v1/api-keys`, basic(username, password), {
    name: 'a test',
    limits,
  })
  const { key } = (await made.json()) as { key: string }
  const chat = async (url: string) =>
    (await postTo(`${url}/v1/chat/completions`, { 'x-api-key': key }, { model: 'gemma3:4b', messages }))
      .status
  const urls = [platform.clusterUrl, platform.url]
  for (const url of urls.slice(0, calls)) expect(await chat(url)).toBe(200)
  expect(await chat(platform.clusterUrl)).toBe(429)
  expect(await chat(platform.url)).toBe(429)
})

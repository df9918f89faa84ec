import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addAccountWithKey, addRole } from '../support/accounts.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'

const body = JSON.stringify({ model: 'gemma3:4b', prompt: 'Why?', stream: false })
const sharedKey = 'a-key-of-the-cluster-for-this-test'
const closing = new AsyncDisposableStack()
let platform: PlatformInProcess
let node: ModelNode

beforeAll(async () => {
  node = closing.use(await startModelNode())
  platform = closing.use(
    await openPlatform({
      CLUSTER_NODES: node.url,
      CLUSTER_API_KEY: sharedKey,
      TUTTI_CUSTOM_TIER: '3,10,100',
      MODEL_LIMIT_WAIT: '0ms',
    }),
  )
  const headers = { 'x-api-key': sharedKey }
  await eventually(async () => (await fetch(`${platform.clusterUrl}/api/tags`, { headers })).ok)
})
afterAll(() => closing.disposeAsync())

async function send(key: string, headers: Readonly<Record<string, string>> = {}, path = '/api/generate') {
  const answer = await fetch(`${platform.clusterUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    body,
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

describe('an account on the port of the cluster', () => {
  test('has the requests per hour of its tier, together with the gateway', async () => {
    const { key } = await addAccountWithKey(platform.database)
    expect((await send(key)).status).toBe(200)
    const byGateway = await fetch(`${platform.url}/api/v1/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body,
    })
    expect(byGateway.status).toBe(200)
    await byGateway.text()
    expect((await send(key)).status).toBe(200)
    const refused = await send(key)
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } })
    expect(Number(refused.retryAfter)).toBeGreaterThan(0)
    const other = await addAccountWithKey(platform.database)
    expect((await send(other.key)).status).toBe(200)
  })

  test('may not go before others, unless it administers the cluster', async () => {
    const { key } = await addAccountWithKey(platform.database, { tier: 'professional' })
    for (const priority of ['high', 'urgent']) {
      expect(await send(key, { 'x-priority': priority })).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('administer cluster') },
      })
    }
    for (const priority of ['low', 'normal'])
      expect((await send(key, { 'x-priority': priority })).status).toBe(200)
    await addRole(platform.database, 'cluster_operator', ['administer cluster'])
    const operator = await addAccountWithKey(platform.database, {
      tier: 'professional',
      roles: ['cluster_operator'],
    })
    expect((await send(operator.key, { 'x-priority': 'urgent' })).status).toBe(200)
  })

  test('the holder of the shared key is not limited, and may use every priority', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await send(sharedKey, { 'x-priority': 'urgent' })).status).toBe(200)
    }
  })
})

const limitUrl = () => `${platform.url}/api/v1/model-limits/ollama/gemma3:4b`

async function limit(limits: object): Promise<string> {
  const set = await fetch(limitUrl(), {
    method: 'PUT',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify(limits),
  })
  expect(set.status).toBe(200)
  return (await addAccountWithKey(platform.database, { tier: 'professional' })).key
}

describe('a model with limits', () => {
  afterEach(async () => {
    const removed = await fetch(limitUrl(), { method: 'DELETE', headers: basicAuth(platform) })
    expect(removed.status).toBe(204)
  })

  test.each([
    ['requests', { requests_per_minute: 1 }],
    ['tokens', { tokens_per_minute: 1 }],
  ])('has its %s per minute, together with the gateway', async (unit, limits) => {
    const key = await limit(limits)
    expect((await send(key)).status).toBe(200)
    expect(await send(key)).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining(`1 ${unit} per minute, is used up`) },
    })
    const byGateway = await fetch(`${platform.url}/api/v1/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body,
    })
    expect(byGateway.status).toBe(429)
    await byGateway.text()
  })

  test('has its concurrent requests, and a slot is free again when a request ends or its caller leaves', async () => {
    const key = await limit({ max_concurrent: 1 })
    for (let count = 0; count < 3; count += 1) expect((await send(key)).status).toBe(200)
    await node.behave('work_hang')
    const leaving = new AbortController()
    const hanging = fetch(`${platform.clusterUrl}/api/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body,
      signal: leaving.signal,
    })
    await eventually(async () => (await node.stats()).working === 1)
    expect(await send(key)).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining('1 concurrent call, is reached') },
    })
    leaving.abort()
    await expect(hanging).rejects.toThrow('aborted')
    await node.behave('normal')
    await eventually(async () => (await send(key)).status === 200)
  })
})

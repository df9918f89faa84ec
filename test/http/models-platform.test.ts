import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { addAccount, basic, errorCode } from './identity-server.ts'
import type { ListedModel } from './models-server.ts'

const seededKey = 'a key of at least twenty characters'.replaceAll(' ', '-')
const nadia = { username: 'nadia', password: 'fontainebleau: été' }

let node: ModelNode
let database: TestDatabase
let platform: OpenPlatform
let nadiaId: string

beforeAll(async () => {
  node = await startModelNode({ models: ['gemma3:4b', 'qwen3:8b'], loaded: ['qwen3:8b'] })
  database = await createTestDatabase()
  platform = await openPlatform({ CLUSTER_NODES: node.url, TUTTI_API_KEY: seededKey }, { database })
  nadiaId = await addAccount(database, nadia)
  await eventually(async () => (await fetch(`${platform.clusterUrl}/readyz`)).ok)
})

afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await database.close()
  await node[Symbol.asyncDispose]()
})

const ask = (headers: Record<string, string> = {}, path = '/api/v1/models', method = 'GET') =>
  fetch(`${platform.url}${path}`, { headers, method })

/** A key of nadia's that is limited to these scopes. */
async function makeKey(scopes: readonly string[]): Promise<string> {
  const key = `tk_${randomBytes(20).toString('hex')}`
  await database.query(
    `
      insert into identity_api_keys (user_id, name, prefix, key_hash, scopes)
      values ($1, 'a test', $2, $3, $4)
    `,
    [nadiaId, key.slice(0, 8), createHash('sha256').update(key).digest(), scopes],
  )
  return key
}

async function logIn(): Promise<string> {
  const answer = await fetch(`${platform.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(nadia),
  })
  return ((await answer.json()) as { token: string }).token
}

describe('the models are listed for', () => {
  const credentials: readonly [string, () => Promise<Record<string, string>>][] = [
    ['a password', async () => basicAuth(platform)],
    ['an account without any role', async () => basic(nadia.username, nadia.password)],
    ['the API key of the settings', async () => ({ authorization: `Bearer ${seededKey}` })],
    ['the same in X-API-Key', async () => ({ 'x-api-key': seededKey })],
    ['an access token', async () => ({ authorization: `Bearer ${await logIn()}` })],
    [
      'a key limited to models.read',
      async () => ({ authorization: `Bearer ${await makeKey(['models.read'])}` }),
    ],
  ]
  test.each(credentials)('%s', async (_name, makeHeaders) => {
    const answer = await ask(await makeHeaders())
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      object: 'list',
      data: [
        { id: 'builtin:text', object: 'model', loaded: true, nodes: [] },
        { id: 'gemma3:4b', object: 'model', loaded: false, nodes: [expect.any(String)] },
        { id: 'qwen3:8b', object: 'model', loaded: true, nodes: [expect.any(String)] },
      ],
    })
  })
})

describe('the models are not listed for', () => {
  const credentials: readonly [string, () => Promise<Record<string, string>>, number, string][] = [
    ['an anonymous caller', async () => ({}), 401, 'authentication_required'],
    ['an unknown key', async () => ({ authorization: 'Bearer tk_123' }), 401, 'invalid_api_key'],
    [
      'a key limited to something else',
      async () => ({ authorization: `Bearer ${await makeKey(['models.generate'])}` }),
      403,
      'insufficient_scope',
    ],
  ]
  test.each(credentials)('%s', async (_name, makeHeaders, status, code) => {
    const answer = await ask(await makeHeaders())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(await errorCode(answer)).toBe(code)
  })
})

describe('errors below /api/v1/models', () => {
  test.each([
    ['POST', '/api/v1/models', 405, 'method_not_allowed'],
    ['GET', '/api/v1/models/gemma3', 404, 'not_found'],
    ['GET', '/api/v1/models/%ff', 400, 'invalid_request'],
  ])('%s %s', async (method, path, status, code) => {
    const answer = await ask(basicAuth(platform), path, method)
    expect(answer.status).toBe(status)
    expect(await errorCode(answer)).toBe(code)
  })
})

test('the OpenAPI document has the route, with its scope and every field', async () => {
  const document = (await (await ask({}, '/openapi/models.json')).json()) as OpenApiDocument
  expect(document).toMatchObject({
    info: { title: 'Tutti Models' },
    paths: {
      '/api/v1/models': {
        get: {
          'x-access': 'any signed-in account, scope `models.read`',
          responses: { 200: { description: 'The models.' } },
        },
      },
    },
  })
  const fields = JSON.stringify(document)
  for (const field of ['created', 'owned_by', 'provider', 'loaded', 'nodes', 'size', 'capabilities']) {
    expect(fields).toContain(`"${field}"`)
  }
})

/** The models of nodes that a platform lists. */
const listOf = async (url: string): Promise<readonly ListedModel[]> => {
  const answer = await fetch(`${url}/api/v1/models`, { headers: { 'x-api-key': seededKey } })
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: readonly ListedModel[] }
  return data.filter(({ provider }) => provider === 'ollama')
}

describe('with the cluster service elsewhere', () => {
  test('the models come from there, and stay listed without their nodes when it stops', async () => {
    const logged: string[] = []
    const log = createLogger({
      level: 'warn',
      format: 'json',
      destination: { write: (line: string) => void logged.push(line) },
    })
    await using cluster = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse battery' })
    const { hostname, port } = new URL(cluster.url)
    await using api = await openPlatform(
      {
        TUTTI_API_KEY: seededKey,
        CLUSTER_API_KEY: 'correct horse battery',
        RUNTIME_CLUSTER_HOST: hostname,
        RUNTIME_CLUSTER_PORT: port,
      },
      { role: 'api', database, log, models: { freshMs: 100 } },
    )
    // The details of a model may arrive after its name.
    await expect.poll(() => listOf(api.url)).toEqual(await listOf(platform.url))

    await cluster.close()
    await eventually(async () => (await listOf(api.url)).every(({ nodes }) => nodes.length === 0))
    expect(await listOf(api.url)).toMatchObject([
      { id: 'gemma3:4b', loaded: false, nodes: [] },
      { id: 'qwen3:8b', loaded: false, nodes: [] },
    ])
    expect(logged.join()).toContain('the cluster service did not return its models')
  })
})

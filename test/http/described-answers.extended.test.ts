import { gzipSync } from 'node:zlib'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { OpenAPIV3 } from 'openapi-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '#kernel/http'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { patience } from '../support/patience.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'

/** Calls every route of both services with invalid input: no 5xx, and each response matches its description. */

let node: ModelNode
let platform: OpenPlatform
const stack = new AsyncDisposableStack()

/** Accounts used in turn, because the rate limits of one would refuse most of the requests below. */
const accounts = Array.from({ length: 30 }, (_, nth) => `sweeper-${nth}`)
const password = 'correct horse battery'
let turn = 0

beforeAll(async () => {
  node = stack.use(await startModelNode({ models: ['viola'] }))
  platform = stack.use(await openPlatform({ CLUSTER_NODES: node.url, TUTTI_CUSTOM_TIER: '1000000,1000,100' }))
  for (const username of accounts) {
    const answer = await fetch(`${platform.url}/api/v1/users`, {
      method: 'POST',
      headers: { ...basicAuth(platform), 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, roles: ['administrator'], tier: 'custom' }),
    })
    expect(answer.status).toBe(201)
  }
  await eventually(async () => (await fetch(`${platform.clusterUrl}/api/tags`)).ok)
})
afterAll(() => stack.disposeAsync())

const json = { 'content-type': 'application/json' }
const bodies: readonly [name: string, init: RequestInit][] = [
  ['no body', {}],
  ['an empty body', { headers: json, body: '' }],
  ...['null', '[]', '"x"', '7', '{}', '{"__proto__":{}}', '{'].map((body): [string, RequestInit] => [
    body,
    { headers: json, body },
  ]),
  ['a compressed body', { headers: { ...json, 'content-encoding': 'gzip' }, body: bytes(gzipSync('{}')) }],
  ['bytes that are not UTF-8', { headers: json, body: bytes(Buffer.from([0x22, 0xff, 0x22])) }],
]
const requestsOf: Readonly<Record<string, readonly [name: string, init: RequestInit][]>> = {
  get: [
    ['for data', { headers: { accept: 'application/json' } }],
    ['for a page', { headers: { accept: 'text/html' } }],
  ],
  delete: bodies.slice(0, 2),
  post: bodies,
  put: bodies,
  patch: bodies,
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly responses: OpenAPIV3.ResponsesObject
}

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => {
      const { responses } = operation as OpenAPIV3.OperationObject
      return { method, path, responses }
    }),
  )
}

/** The deviation of a response from the description of its operation; undefined if there is none. */
async function describeMistake(
  answer: Response,
  { responses }: Operation,
  validate: (schema: object, value: unknown) => string | undefined,
): Promise<string | undefined> {
  const { status } = answer
  if (status >= 500) return `${status}: ${await answer.text()}`
  if (status === 429 && answer.headers.get('retry-after') === null) return '429 without Retry-After'
  const described = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default']
  const content = (described as OpenAPIV3.ResponseObject | undefined)?.content
  const type = answer.headers.get('content-type')?.split(';', 1)[0]
  if (type === undefined || type === 'text/event-stream') await answer.body?.cancel()
  if (type === undefined) return content === undefined ? undefined : `${status} without a body`
  const schema = content?.[type]?.schema
  if (schema === undefined) return `${status} with ${type}, which is not described`
  if (type !== 'application/json') return undefined
  const value: unknown = await answer.json()
  const mistake = validate(schema, value)
  return mistake === undefined ? undefined : `${status}: ${mistake} in ${JSON.stringify(value).slice(0, 300)}`
}

function createValidate(document: OpenApiDocument) {
  const ajv = addFormats.default(new Ajv({ strict: false, validateSchema: false }))
  ajv.addSchema({ ...document, $id: 'description' })
  const compiled = new Map<string, ValidateFunction>()
  return (schema: object, value: unknown): string | undefined => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"description#/components')
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
    compiled.set(text, check)
    return check(value) ? undefined : ajv.errorsText(check.errors)
  }
}

function asNextAccount(): Record<string, string> {
  turn += 1
  return basicAuth({ admin: { username: accounts[turn % accounts.length] ?? '', password } })
}

interface Described {
  readonly url: string
  readonly operations: readonly Operation[]
  readonly validate: ReturnType<typeof createValidate>
}

async function readDescription(url: string): Promise<Described> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  return { url, operations: operationsOf(document), validate: createValidate(document) }
}

async function findMistake(
  { url, validate }: Described,
  operation: Operation,
  { query = '', ...init }: RequestInit & { readonly query?: string },
): Promise<string | undefined> {
  const send = () =>
    fetch(url + operation.path.replaceAll(/\{[^}]+\}/g, 'nope') + query, {
      ...init,
      method: operation.method.toUpperCase(),
      redirect: 'manual',
    })
  let answer = await send()
  // On a busy machine the server sheds load, which does not depend on the request.
  await eventually(async () => {
    if (answer.status !== 503) return true
    answer = await send()
    return false
  }, 200)
  return await describeMistake(answer, operation, validate)
}

describe.each([
  ['the platform', () => platform.url, asNextAccount],
  ['the cluster service', () => platform.clusterUrl, () => ({})],
])('%s', (_name, urlOf, authorize) => {
  // Thousands of requests: on two busy cores they were seen to take more than two minutes.
  test('every invalid request is refused, and every response is as described', {
    timeout: 400_000 * patience,
  }, async () => {
    const described = await readDescription(urlOf())
    const mistakes: string[] = []
    for (const operation of described.operations) {
      const { method, path } = operation
      const sent = (requestsOf[method] ?? []).map(async ([name, init]) => {
        const headers = { ...authorize(), ...(init.headers as Record<string, string> | undefined) }
        const mistake = await findMistake(described, operation, { ...init, headers })
        if (mistake !== undefined) mistakes.push(`${method} ${path}, ${name}: ${mistake}`)
      })
      await Promise.all(sent)
    }
    expect(mistakes).toEqual([])
    expect(described.operations.length).toBeGreaterThan(20)
  })
})

const form = (fields: Record<string, string>): RequestInit => ({ body: new URLSearchParams(fields) })

test('pages and protocol messages are as described', async () => {
  const described = await readDescription(platform.url)
  const message = (body: object): RequestInit => ({
    headers: { ...asNextAccount(), ...json, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  })
  const requests: readonly [operation: string, init: RequestInit & { query?: string }][] = [
    ['get /user/login', {}],
    ['get /user/login', { query: '?destination=a&destination=b' }],
    ['post /user/login', form({})],
    ['post /user/login', form({ username: 'x', password: 'wrong' })],
    ['post /user/login', form({ username: accounts[0] ?? '', password })],
    ['post /user/logout', form({})],
    ['get /oauth/authorize', { query: '?response_type=code&client_id=nope&redirect_uri=https://x.example' }],
    ['post /oauth/revoke', form({ token: 'x' })],
    ['post /mcp', message({ method: 'notifications/initialized' })],
    ['post /mcp', message({ id: 1, method: 'ping' })],
    ['post /mcp', message({ id: 1, method: 'nope' })],
    ['post /mcp', { headers: { ...json, authorization: 'Bearer nope' }, body: '{}' }],
  ]
  for (const [name, init] of requests) {
    const operation = described.operations.find(({ method, path }) => `${method} ${path}` === name)
    if (operation === undefined) expect.fail(`${name} is not described`)
    expect(await findMistake(described, operation, init), name).toBeUndefined()
  }
})

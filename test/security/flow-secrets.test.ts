import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { unlimitedReads } from '../http/request-limits.ts'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { eventually } from '../support/eventually.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** A flow uses secrets at an API that repeats every request. Nothing of the values may stay anywhere. */

const values = {
  'a secret': `s3cret/${randomBytes(18).toString('base64')}`,
  'a token of a connection': `token-${randomBytes(18).toString('hex')}`,
  'a password': `pass word & "${randomBytes(12).toString('hex')}"`,
  'a client secret': `client-${randomBytes(18).toString('hex')}`,
  'an access token': `access-${randomBytes(18).toString('hex')}`,
}

const stack = new AsyncDisposableStack()
let database: TestDatabase
let platform: OpenPlatform
let api: EchoApi
let receiver: Receiver
/** All responses of the platform. */
const responses: string[] = []
const logged: string[] = []
let log: string
let rows: string
let redirected: ReturnType<typeof JSON.parse>

beforeAll(async () => {
  database = stack.use(await createTestDatabase())
  api = stack.use(await startEchoApi())
  receiver = stack.use(await startReceiver())
  platform = await openPlatform(
    {
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
    },
    {
      database,
      log: createLogger({
        level: 'trace',
        format: 'json',
        destination: { write: (line: string) => void logged.push(line) },
      }),
      ...unlimitedReads,
    },
  )
  {
    await using _ = platform
    await useSecrets()
  }
  log = logged.join('')
  rows = await dump()
  requireUse()
})
afterAll(() => stack.disposeAsync())

async function ask(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${platform.url}/ai-workflows/api${path}`, {
    method,
    headers: { ...basicAuth(platform), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  responses.push(text)
  return JSON.parse(text === '' || !text.startsWith('{') ? '{}' : text)
}

const http = (id: string, call: object, more: object = {}) => ({
  id,
  type: 'external_api',
  output_to_memory: id,
  error_handling: { on_failure: 'continue' },
  api: { url: `${api.url}/${id}`, ...call },
  ...more,
})

async function useSecrets(): Promise<void> {
  const allowed_hosts = [api.url]
  api.issue(values['an access token'])
  await ask('/secrets', { name: 'key', value: values['a secret'], allowed_hosts })
  const connect = (name: string, kind: string, settings: object, credentials: object) =>
    ask('/connections', { name, kind, settings, credentials, allowed_hosts })
  await connect('bearer', 'bearer', {}, { token: values['a token of a connection'] })
  await connect('basic', 'basic', { username: 'nora' }, { password: values['a password'] })
  await connect(
    'oauth',
    'oauth2_client_credentials',
    { token_url: `${api.url}/token`, client_id: 'tutti' },
    { client_secret: values['a client secret'] },
  )
  const webhook = await ask('/webhooks', {
    webhook_config: {
      url: receiver.url,
      events: [
        'flow.execution.started',
        'flow.step.completed',
        'flow.execution.completed',
        'flow.execution.failed',
      ],
      format: { include_full_context: true, include_intermediate_results: true },
    },
  })
  await eventually(async () => (await ask(`/webhooks/${webhook.webhook_id}`)).status === 'active')

  const key = { headers: { authorization: 'Bearer {{secrets.key}}' } }
  const steps = [
    http('plain', { ...key, output: 'response' }),
    http('sent', {
      method: 'POST',
      url: `${api.url}/{{secrets.key}}?key={{secrets.key}}`,
      body: { a: '{{secrets.key}}' },
    }),
    http('bearer', { connection: 'bearer' }),
    http('basic', { connection: 'basic' }),
    http('oauth', { connection: 'oauth' }),
    http('failing', { ...key, success_status: [201], retry_attempts: 1 }),
    http('invalid', key, { validation: { required_fields: ['none'] }, retry_config: { max_attempts: 2 } }),
    http(
      'last',
      { ...key, success_status: [204] },
      {
        dependencies: ['plain', 'sent', 'bearer', 'basic', 'oauth', 'failing', 'invalid'],
        error_handling: { on_failure: 'abort' },
      },
    ),
  ]
  const flow_definition = { id: 'echoes', label: 'Echoes', steps }
  await ask('/flows', { flow_definition })
  const { execution_id } = await ask('/execute-flow-async', { flow_id: 'echoes', context: { content: 'x' } })
  const stream = await fetch(`${platform.url}/ai-workflows/api/execution-stream/${execution_id}`, {
    headers: basicAuth(platform),
  })
  responses.push(await stream.text())
  for (const path of ['', '/logs', '/trace', '/input', ...steps.map(({ id }) => `/steps/${id}`)])
    await ask(`/executions/${execution_id}${path}`)
  await ask(`/execution-status/${execution_id}`)
  await ask('/execute-flow', { flow_id: 'echoes', context: { content: 'x' } })
  for (const path of [
    '/flows/echoes',
    '/flows',
    '/secrets',
    '/secrets/key',
    '/connections',
    '/connections/basic',
  ])
    await ask(path)
  redirected = await ask('/secrets/key', { allowed_hosts: ['thief.example'] }, 'PUT')
  await ask('/connections/bearer/test', { url: `${api.url}/` })
  await eventually(() => receiver.events.length >= 10)
}

/** Every row of every table. */
async function dump(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const found = await Promise.all(
    tables.map(({ name }) =>
      database.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} as t`),
    ),
  )
  return found
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

/** The forms in which a value could be found. */
function formsOf(value: string): string[] {
  const base64 = (shift: string) => Buffer.from(`${shift}${value}`).toString('base64').slice(4, -4)
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    base64(''),
    base64('nora:'),
    base64('a'),
    Buffer.from(value).toString('hex'),
  ]
}

/** Without this, the tests below could not fail. */
function requireUse(): void {
  const received = JSON.stringify(api.requests)
  const basic = Buffer.from(`nora:${values['a password']}`).toString('base64')
  const client = Buffer.from(`tutti:${values['a client secret']}`).toString('base64')
  const { 'a secret': secret, 'a token of a connection': token, 'an access token': accessToken } = values
  for (const sent of [secret, token, accessToken, basic, client]) expect(received).toContain(sent)
  for (const text of [responses.join(), rows, receiver.events.map(({ raw }) => raw).join()])
    expect(text).toContain('[secret ')
  expect(log.length).toBeGreaterThan(1000)
}

function namesIn(text: string): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    formsOf(value).some((form) => text.includes(form)) ? [name] : [],
  )
}

test('A secret that a flow uses is read from the database', () => {
  expect(namesIn(rows)).toEqual([])
})

test('A secret that a flow uses is read from a response, trace or stream of the platform', () => {
  expect(namesIn(responses.join('\n'))).toEqual([])
})

test('A secret that a flow uses is read from a webhook', () => {
  expect(namesIn(receiver.events.map(({ raw }) => raw).join('\n'))).toEqual([])
})

test('A secret that a flow uses is read from the log', () => {
  expect(namesIn(log)).toEqual([])
})

test('A cookie that an API sets is read from the stored response', () => {
  expect(rows).not.toContain('a-session-of-the-api')
})

test('A stolen API key sends a stored secret to another host', () => {
  expect(redirected.error).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { problems: [{ path: 'value' }] },
  })
})

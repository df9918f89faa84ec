import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { eventually } from '../support/eventually.ts'
import { startOpenAi } from './models-gateway-core-scene.ts'
import { createPlayer, failingAfter, type Player } from './models-gateway-player.ts'
import { type GatewayServer, type NewKey, startGatewayServer } from './models-gateway-server.ts'

interface Details {
  readonly id: string
  readonly provider: string
  readonly route: readonly Record<string, unknown>[] | null
  readonly content: { request: Record<string, unknown>; response: unknown; truncated: boolean } | null
  readonly [field: string]: unknown
}

const closing = new AsyncDisposableStack()
let server: GatewayServer
let anthropic: Player
let cluster: Player
let openai: Awaited<ReturnType<typeof startOpenAi>>
let other: NewKey
let admin: NewKey

beforeAll(async () => {
  openai = closing.use(await startOpenAi())
  anthropic = createPlayer({ name: 'anthropic', models: ['viola'] })
  cluster = createPlayer({ name: 'ollama', models: ['cello'] })
  server = closing.use(
    await startGatewayServer({
      providers: [openai.provider, anthropic, cluster],
      environment: { MODEL_RECORDING: 'on' },
    }),
  )
  other = await server.addKey()
  admin = await server.addKey({ roles: ['administrator'] })
})
afterAll(() => closing.disposeAsync())

const secret = 'hunter2hunter2XYZ'

async function call(
  body: Record<string, unknown>,
  { headers = {}, path = '/v1/chat/completions', on = server } = {},
): Promise<string> {
  const response = await on.post(path, body, { headers })
  await response.text()
  const id = response.headers.get('x-call-id')
  if (id === null) throw new Error(`status ${response.status}`)
  return id
}

const read = (id: string, { key }: { key?: string } = {}, on = server) =>
  on.get(`/api/v1/usage/calls/${id}`, key === undefined ? {} : { key })

/** The call, once its row and its content are written. */
async function details(id: string, on = server): Promise<Details> {
  let found: Details | undefined
  await eventually(async () => {
    const response = await read(id, {}, on)
    found = response.status === 200 ? ((await response.json()) as Details) : undefined
    return found !== undefined && (found.content !== null || on !== server)
  })
  if (found === undefined) throw new Error('there is no such call')
  return found
}

describe('the record of a call', () => {
  test('has its route, its origin and its content', async () => {
    anthropic.script(failingAfter(new ProviderFailure({ kind: 'rate_limited', message: 'Late.' })))
    const id = await call(
      {
        model: 'viola',
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: `Why is the sky blue? My key is sk-${secret}.` },
        ],
        temperature: 0.5,
        max_tokens: 20,
      },
      { headers: { 'x-model-fallback': 'cello', 'x-tags': 'blue,red' } },
    )
    const found = await details(id)
    expect(found).toMatchObject({
      id,
      account: server.accountId,
      provider: 'ollama',
      model: 'cello',
      requested_model: 'viola',
      attempts: 2,
      tags: ['blue', 'red'],
      key: expect.any(String),
      execution_id: null,
      step_id: null,
      trace_id: null,
      first_token_ms: expect.any(Number),
      latency_ms: expect.any(Number),
      route: [
        {
          provider: 'anthropic',
          model: 'viola',
          reason: 'requested',
          outcome: 'failed',
          code: 'provider_rate_limited',
        },
        { provider: 'ollama', model: 'cello', reason: 'fallback', outcome: 'answered', code: null },
      ],
      content: {
        request: {
          kind: 'chat',
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: 'Why is the sky blue? My key is sk-[redacted].' },
          ],
          parameters: { temperature: 0.5, max_tokens: 20 },
        },
        response: { choices: [{ text: 'The sky is blue.', finish_reason: 'stop' }] },
        truncated: false,
      },
    })
    const stored = await server.database.query('select request, response from model_call_contents')
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('of a call that every candidate failed has the reasons and no response', async () => {
    const late = failingAfter(new ProviderFailure({ kind: 'unavailable', message: 'Down.' }))
    anthropic.script(late)
    cluster.script(late)
    const headers = { 'x-model-fallback': 'cello', 'x-tags': 'failing' }
    const response = await server.post(
      '/v1/chat/completions',
      { model: 'viola', messages: hello },
      { headers },
    )
    expect(response.status).toBe(502)
    const id = await eventually(async () => {
      const [row] = await server.database.query<{ id: string }>(
        "select id from model_calls where tags = '{failing}'",
      )
      return row?.id
    })
    expect(await details(String(id))).toMatchObject({
      outcome: 'failed',
      route: [
        { model: 'viola', outcome: 'failed', code: 'provider_unavailable' },
        { model: 'cello', outcome: 'failed', code: 'provider_unavailable' },
      ],
      content: { request: { messages: hello }, response: null },
    })
  })

  const hello = [{ role: 'user', content: 'Hello' }]

  test.each([true, false])(
    'of a forwarded request has the answer of the provider, streamed: %s',
    async (stream) => {
      openai.server.script({ steps: [{ text: 'Good' }, { text: ' day' }, { text: ` Bearer ${secret}` }] })
      const id = await call({
        model: 'gpt-4o-mini',
        messages: hello,
        stream,
        top_logprobs: 2,
        logprobs: true,
      })
      const { content } = await details(id)
      expect(content).toMatchObject({
        request: { messages: hello, parameters: { top_logprobs: 2, logprobs: true } },
        response: { choices: [{ text: 'Good day Bearer [redacted]', finish_reason: 'stop' }] },
      })
    },
  )

  test('of a cached response has the same answer', async () => {
    const body = { model: 'cello', messages: hello, temperature: 0 }
    const first = await details(await call(body))
    const second = await details(await call(body))
    expect(second).toMatchObject({
      cache_hit: true,
      route: [{ model: 'cello', outcome: 'answered' }],
      content: { response: first.content?.response },
    })
  })

  test('of embeddings has the inputs and the size of the vectors', async () => {
    const id = await call({ model: 'cello', input: ['one', 'three'] }, { path: '/v1/embeddings' })
    expect((await details(id)).content).toMatchObject({
      request: { kind: 'embed', inputs: ['one', 'three'] },
      response: { embeddings: { count: 2, dimensions: 3 } },
    })
  })

  test('is for the account of the call and for operators', async () => {
    const id = await call({ model: 'cello', messages: hello })
    await details(id)
    expect((await read(id, other)).status).toBe(404)
    expect((await read(id, admin)).status).toBe(200)
    expect((await read('01999999-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await read('not-an-id')).status).toBe(404)
    expect((await fetch(`${server.url}/api/v1/usage/calls/${id}`)).status).toBe(401)
  })

  test('is without content when the request says so', async () => {
    const id = await call({ model: 'cello', messages: hello }, { headers: { 'x-record': 'off' } })
    // Contents are written in the order in which calls end, so that this one would be there before the next.
    await details(await call({ model: 'cello', messages: hello }))
    const rows = await server.database.query('select 1 from model_call_contents where call_id = $1', [id])
    expect(rows).toEqual([])
    const refused = await server.post(
      '/v1/chat/completions',
      { model: 'cello', messages: hello },
      { headers: { 'x-record': 'maybe' } },
    )
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('X-Record must be on or off')
  })
})

test.each([
  ['off', 'not even if a request asks for it', {}],
  ['on-request', 'only if a request asks for it', { MODEL_RECORDING: 'on-request' }],
])('MODEL_RECORDING=%s records contents %s', async (mode, _words, environment) => {
  await using quiet = await startGatewayServer({
    providers: [createPlayer({ name: 'ollama', models: ['cello'] })],
    environment,
  })
  const body = { model: 'cello', messages: [{ role: 'user', content: 'Hello' }] }
  await call(body, { on: quiet })
  const asked = await call(body, { on: quiet, headers: { 'x-record': 'on' } })
  await details(asked, quiet)
  // Closing writes what is queued.
  const contents = () => quiet.database.query<{ call_id: string }>('select call_id from model_call_contents')
  if (mode === 'on-request') await eventually(async () => (await contents()).length > 0)
  else await quiet.close()
  expect((await contents()).map(({ call_id }) => call_id)).toEqual(mode === 'off' ? [] : [asked])
})

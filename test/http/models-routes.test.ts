import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
import { eventually } from '../support/eventually.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** Two replicas on one database, each with the same two providers. */
let one: PlatformInProcess
let two: PlatformInProcess
let database: TestDatabase
let openai: OpenAiServer
let office: OpenAiServer
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  openai = stack.use(await startOpenAiServer({ models: ['violin', 'embedder'] }))
  office = stack.use(await startOpenAiServer({ models: ['viola', 'violin'] }))
  database = stack.use(await createTestDatabase())
  const environment = {
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_API_KEY: 'sk-right',
    TUTTI_PROVIDERS: `office=${office.baseUrl}`,
    TUTTI_DEFAULT_MODEL: 'usual',
    TUTTI_CUSTOM_TIER: '1000000,100,1000',
  }
  one = stack.use(await openPlatform(environment, { role: 'api', database }))
  two = stack.use(await openPlatform(environment, { role: 'api', database }))
})
afterAll(() => stack.disposeAsync())

afterEach(async () => {
  const { data } = await read(await call('GET', ''))
  for (const { name } of data) await call('DELETE', `/${name}`)
  await eventually(async () => (await read(await call('GET', '', undefined, two))).total === 0)
})

/** The JSON of a response. */
const read = async (response: Response) => JSON.parse(await response.text())

interface Sent {
  readonly at?: PlatformInProcess
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

function send(method: string, path: string, body?: unknown, { at = one, key, headers }: Sent = {}) {
  return fetch(`${at.url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? basicAuth(one) : { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

const call = (method: string, path: string, body?: unknown, at = one) =>
  send(method, `/api/v1/model-routes${path}`, body, { at })
const save = (name: string, definition: object, at = one) => call('PUT', `/${name}`, definition, at)
const to = (...models: string[]) => ({ strategy: 'fallback', targets: models.map((model) => ({ model })) })
const messages = [{ role: 'user' as const, content: 'Why?' }]
const ask = (model: string, sent?: Sent) => send('POST', '/v1/chat/completions', { model, messages }, sent)
const usedBy = (response: Response) =>
  `${response.headers.get('x-model-provider')}/${response.headers.get('x-model-used')}`
const explain = async (name: string, body: object = {}) => read(await call('POST', `/${name}/explain`, body))

/** The record of a call, once it is written. */
async function recordOf(response: Response) {
  const id = response.headers.get('x-call-id')
  let found: Response | undefined
  await eventually(async () => {
    found = await send('GET', `/api/v1/usage/calls/${id}`)
    return found.status === 200
  })
  return found === undefined ? undefined : await read(found)
}

describe('a route', () => {
  test('is called by its name with an official client', async () => {
    expect((await save('quick', to('violin'))).status).toBe(200)
    const client = new OpenAI({
      baseURL: `${one.url}/v1`,
      apiKey: (await addAccountWithKey(database)).key,
      maxRetries: 0,
    })
    const { data, response } = await client.chat.completions
      .create({ model: 'quick', messages })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('The sky is blue.')
    expect(response.headers.get('x-model-route')).toBe('quick@1')
    const stream = await client.chat.completions.create({ model: 'quick', messages, stream: true })
    const pieces: string[] = []
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe('The sky is blue.')
    const listed = await client.models.list()
    expect(listed.data).toContainEqual(expect.objectContaining({ id: 'quick', owned_by: 'route' }))
    expect(await client.models.retrieve('quick')).toMatchObject({ id: 'quick', owned_by: 'route' })
    await save('vectors', to('embedder'))
    const embedded = await client.embeddings.create({ model: 'vectors', input: 'a' }).withResponse()
    expect(embedded.data.data).toHaveLength(1)
    expect(embedded.response.headers.get('x-model-route')).toBe('vectors@1')
  })

  test('is in the list of an Ollama client, and described as its first target', async () => {
    await save('quick', to('gone', 'viola'))
    const { models } = await read(await send('GET', '/ollama/api/tags'))
    expect(models).toContainEqual(expect.objectContaining({ name: 'quick', model: 'quick' }))
    const shown = await read(await send('POST', '/ollama/api/show', { model: 'quick' }))
    expect(shown.model_info['general.basename']).toBe('viola')
    const answered = await read(
      await send('POST', '/ollama/api/chat', { model: 'quick', messages, stream: false }),
    )
    expect(answered.message.content).toBe('The sky is blue.')
  })

  test('takes precedence over a model with the same id, which is listed with its provider', async () => {
    await save('violin', to('viola'))
    expect(usedBy(await ask('violin'))).toBe('office/viola')
    expect(usedBy(await ask('openai/violin'))).toBe('openai/violin')
    const { data } = await read(await send('GET', '/v1/models'))
    const ids = data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(['violin', 'openai/violin', 'office/violin']))
  })

  test('may be the default model, and a fallback', async () => {
    await save('usual', to('viola'))
    const answer = await ask('auto')
    expect(usedBy(answer)).toBe('office/viola')
    expect(answer.headers.get('x-model-route')).toBe('usual@1')
    openai.script({ status: 500 })
    const fallback = await ask('openai/violin', { headers: { 'x-model-fallback': 'usual' } })
    expect(usedBy(fallback)).toBe('office/viola')
    expect(fallback.headers.has('x-model-route')).toBe(false)
  })

  test('is used by messages and structured output, and by the counter of tokens', async () => {
    await save('quick', to('viola'))
    const message = await send('POST', '/v1/messages', { model: 'quick', messages, max_tokens: 50 })
    expect(message.status).toBe(200)
    expect(message.headers.get('x-model-route')).toBe('quick@1')
    const counted = await send('POST', '/v1/messages/count_tokens', { model: 'quick', messages })
    expect(await read(counted)).toEqual({ input_tokens: expect.any(Number) })
    office.script({ steps: [{ text: '{"noon":"blue"}' }] })
    const schema = { type: 'object', properties: { noon: { type: 'string' } }, required: ['noon'] }
    const structured = await send('POST', '/v1/chat/completions', {
      model: 'quick',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'sky', schema } },
    })
    expect(structured.status).toBe(200)
    expect(structured.headers.get('x-model-route')).toBe('quick@1')
  })
})

describe('versions', () => {
  test('are kept, and an earlier one is activated at every replica without a restart', async () => {
    const first = await read(await save('quick', { ...to('violin'), description: 'Short answers' }))
    expect(first).toEqual({
      name: 'quick',
      version: 1,
      description: 'Short answers',
      ...to('violin'),
      updated_at: expect.any(String),
      updated_by: expect.any(String),
      warnings: [],
    })
    await save('quick', { ...to('viola'), retries: 2 })
    await eventually(async () => usedBy(await ask('quick', { at: two })) === 'office/viola')
    expect((await ask('quick', { at: two })).headers.get('x-model-route')).toBe('quick@2')

    const activated = await call('POST', '/quick/activate', { version: 1 }, two)
    expect(await read(activated)).toMatchObject({ version: 1, targets: [{ model: 'violin' }] })
    await eventually(async () => usedBy(await ask('quick')) === 'openai/violin')

    const versions = await read(await call('GET', '/quick/versions'))
    expect(versions.total).toBe(2)
    expect(versions.data).toMatchObject([
      { version: 2, ...to('viola'), retries: 2, created_by: expect.any(String) },
      { version: 1, ...to('violin') },
    ])
    expect(await read(await call('GET', '/quick/versions?limit=1&page=2'))).toMatchObject({
      data: [{ version: 1 }],
      total: 2,
    })
    const events = await database.query<{ type: string }>(
      `select type from kernel_events where type like 'models.route%' and subject = 'quick' order by id desc limit 3`,
    )
    expect(events.map(({ type }) => type)).toEqual([
      'models.route_activated',
      'models.route_saved',
      'models.route_saved',
    ])
  })

  test('of a deleted route are gone', async () => {
    await save('quick', to('violin'))
    expect((await call('DELETE', '/quick')).status).toBe(204)
    for (const [method, path, body] of [
      ['GET', '/quick'],
      ['DELETE', '/quick'],
      ['GET', '/quick/versions'],
      ['POST', '/quick/activate', { version: 1 }],
      ['POST', '/quick/explain', {}],
    ] as const) {
      const response = await call(method, path, body)
      expect(response.status, `${method} ${path}`).toBe(404)
      expect((await read(response)).error.message).toBe('There is no route "quick".')
    }
    expect((await ask('quick')).status).toBe(404)
  })

  test('that do not exist are not activated', async () => {
    await save('quick', to('violin'))
    const response = await call('POST', '/quick/activate', { version: 2 })
    expect(response.status).toBe(404)
    expect((await read(response)).error.message).toBe('The route "quick" has no version 2.')
  })
})

describe('strategies', () => {
  test('fallback tries the next target after a failure, and the record shows why', async () => {
    await save('quick', to('openai/violin', 'viola'))
    openai.script({ status: 500 })
    const answer = await ask('quick', { headers: { 'x-model-fallback': 'office/violin' } })
    expect(usedBy(answer)).toBe('office/viola')
    expect(answer.headers.get('x-model-attempts')).toBe('2')
    expect(await recordOf(answer)).toMatchObject({
      requested_model: 'quick',
      model_route: {
        name: 'quick',
        version: 1,
        strategy: 'fallback',
        reason: 'the targets in their order',
      },
      route: [
        { provider: 'openai', model: 'violin', reason: 'route', outcome: 'failed' },
        { provider: 'office', model: 'viola', reason: 'route', outcome: 'answered' },
        { provider: 'office', model: 'violin', reason: 'fallback', outcome: 'not_tried' },
      ],
    })
    expect((await recordOf(await ask('openai/violin')))?.model_route).toBeNull()
    const metrics = await (await fetch(`${one.metricsUrl}/metrics`)).text()
    expect(metrics).toMatch(/tutti_models_route_choices_total\{route="quick",provider="openai"\} \d+/)
  })

  test('weighted splits calls, and keeps a session at one target', async () => {
    const targets = [
      { model: 'openai/violin', weight: 50 },
      { model: 'viola', weight: 50 },
    ]
    await save('split', { strategy: 'weighted', targets })
    const used = await Promise.all(Array.from({ length: 40 }, async () => usedBy(await ask('split'))))
    // Fewer than six of forty happen once in a million runs.
    for (const name of ['openai/violin', 'office/viola']) {
      expect(used.filter((other) => other === name).length).toBeGreaterThan(5)
    }
    const headers = { 'x-session-id': 'a conversation' }
    const ofSession = new Set<string>()
    for (const at of [one, two, one, two, one, two]) {
      ofSession.add(usedBy(await ask('split', { at, headers })))
    }
    expect(ofSession.size).toBe(1)
    const { candidates, reason } = await explain('split', { session: 'a conversation' })
    expect([...ofSession]).toEqual([`${candidates[0].provider}/${candidates[0].model}`])
    expect(reason).toBe('weight 50 %, the same for all calls of the session')
  })

  test('cheapest tries the model with the lowest price first', async () => {
    const price = (name: string, dollars: number) =>
      send('PUT', `/api/v1/prices/${name}`, { input: dollars, output: dollars })
    await price('openai/violin', 3)
    await price('office/viola', 1)
    await save('cheap', { ...to('openai/violin', 'viola'), strategy: 'cheapest' })
    expect(usedBy(await ask('cheap'))).toBe('office/viola')
    const explained = await explain('cheap')
    expect(explained).toMatchObject({
      route: 'cheap',
      version: 1,
      strategy: 'cheapest',
      reason: 'the lowest price: 2000 micro-dollars for a thousand tokens of input and of output',
      candidates: [
        { provider: 'office', model: 'viola', micro_dollars: 2000 },
        { provider: 'openai', model: 'violin', micro_dollars: 6000 },
      ],
    })
    await send('DELETE', '/api/v1/prices/openai/violin')
    await send('DELETE', '/api/v1/prices/office/viola')
  })

  test('fastest measures all targets, then tries the fastest first', async () => {
    const definition = { ...to('openai/violin', 'office/violin'), strategy: 'fastest' }
    await save('fast', definition, two)
    const stream = async () => {
      const body = { model: 'fast', messages, stream: true }
      const response = await send('POST', '/v1/chat/completions', body, { at: two })
      await response.text()
      return response
    }
    const atTwo = async () => read(await send('POST', '/api/v1/model-routes/fast/explain', {}, { at: two }))
    const isMeasured = async (count: number) => {
      const { candidates } = await atTwo()
      return (
        candidates.filter(({ first_token_ms: ms }: { first_token_ms: unknown }) => ms !== null).length ===
        count
      )
    }
    openai.script({ steps: [{ delayMs: 2500 }, { text: 'Slowly' }] })
    expect(usedBy(await stream())).toBe('openai/violin')
    await eventually(() => isMeasured(1))
    expect(usedBy(await stream())).toBe('office/violin')
    await eventually(() => isMeasured(2))
    const { reason, candidates } = await atTwo()
    // The second is the fastest, unless the machine stood still during its call.
    const [fastest, other] = candidates
    expect(fastest.first_token_ms).toBeLessThanOrEqual(other.first_token_ms)
    const slow = candidates.find(({ provider }: { provider: string }) => provider === 'openai')
    expect(slow.first_token_ms).toBeGreaterThan(2400)
    expect(reason).toMatch(/^the shortest time to the first token: \d+ ms$/)
    const answer = await stream()
    const record = await recordOf(answer)
    // One call in twenty measures the other target.
    expect(record?.model_route.reason).toMatch(
      usedBy(answer) === `${fastest.provider}/violin` ? /^the shortest time/ : /^one call in 20/,
    )
    office.script({ status: 503 })
    await eventually(async () => {
      await stream()
      return (await atTwo()).candidates[1].reason === 'Its last attempt failed'
    })
    expect((await atTwo()).candidates).toMatchObject([{ provider: 'openai' }, { provider: 'office' }])
  })
})

/** A key of an account that may call models. */
async function keyFor(...models: string[]): Promise<string> {
  const owner = await addAccountWithKey(database)
  const made = await send('POST', '/api/v1/api-keys', { name: 'a test', limits: { models } }, owner)
  return (await read(made)).key
}

describe('a key with allowed models', () => {
  test('uses a route that it lists with all targets, but not the targets themselves', async () => {
    await save('quick', to('openai/violin', 'viola'))
    const key = await keyFor('quick')
    expect(usedBy(await ask('quick', { key }))).toBe('openai/violin')
    openai.script({ status: 500 })
    expect(usedBy(await ask('quick', { key }))).toBe('office/viola')
    const refused = await ask('viola', { key })
    expect(refused.status).toBe(403)
    expect((await read(refused)).error.code).toBe('model_not_allowed')
    const { data } = await read(await send('GET', '/v1/models', undefined, { key }))
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['quick'])
  })

  test('gets the targets that it allows of another route', async () => {
    await save('quick', to('openai/violin', 'viola'))
    expect(usedBy(await ask('quick', { key: await keyFor('viola') }))).toBe('office/viola')
    const key = await keyFor('other')
    const refused = await ask('quick', { key })
    expect(refused.status).toBe(403)
    expect((await read(refused)).error.code).toBe('model_not_allowed')
    const explained = await read(await send('POST', '/api/v1/model-routes/quick/explain', {}, { key }))
    expect(explained).toMatchObject({
      reason: 'no target can handle the call',
      candidates: [{ state: 'excluded' }, { state: 'excluded' }],
    })
  })
})

describe('bad input', () => {
  test('is refused with the field and the fix', async () => {
    for (const name of ['auto', 'any', 'a%2Fb', '-a', 'x'.repeat(129)]) {
      const response = await save(name, to('violin'))
      expect(response.status, name).toBe(404)
      expect((await read(response)).error.message).toContain('name must be up to 128 letters')
    }
    for (const [definition, field] of [
      [{ strategy: 'best', targets: [{ model: 'a' }] }, 'strategy'],
      [{ strategy: 'fallback', targets: [] }, 'targets'],
      [to(...Array.from({ length: 21 }, () => 'violin')), 'targets'],
      [to(''), 'targets[0].model'],
      [{ ...to('violin'), retries: 4 }, 'retries'],
      [{ ...to('violin'), unknown: 1 }, 'unknown'],
      [{ strategy: 'weighted', targets: [{ model: 'a', weight: -1 }] }, 'targets[0].weight'],
      [{ ...to('violin'), description: 'a\0b' }, 'description'],
    ] as const) {
      const response = await save('quick', definition)
      expect(response.status, JSON.stringify(definition)).toBe(400)
      expect((await read(response)).error.message).toContain(field)
    }
    expect((await read(await call('GET', ''))).total).toBe(0)
    expect((await call('POST', '/quick/activate', { version: 0 })).status).toBe(400)
    expect((await call('POST', '/quick/explain', { capabilities: ['magic'] })).status).toBe(400)
  })

  test('an unknown target is accepted with a warning, and a call says why it fails', async () => {
    await save('other', to('violin'))
    const saved = await read(await save('quick', to('gone', 'other')))
    expect(saved.warnings).toEqual([
      { path: 'targets[0].model', message: 'no provider offers the model "gone"', code: 'unknown_model' },
      { path: 'targets[1].model', message: '"other" is a route; targets name models', code: 'unknown_model' },
    ])
    const refused = await ask('quick')
    expect(refused.status).toBe(404)
    expect((await read(refused)).error).toMatchObject({
      code: 'model_not_found',
      message: 'The route "quick" has no model for this call. The model "gone" was not found.',
    })
    expect((await explain('quick')).candidates[0]).toEqual({
      provider: null,
      model: 'gone',
      weight: 1,
      micro_dollars: null,
      first_token_ms: null,
      state: 'excluded',
      reason: 'The model "gone" was not found',
    })
  })

  test('only operators change routes; any account reads them', async () => {
    await save('quick', to('violin'))
    const { key } = await addAccountWithKey(database)
    const path = '/api/v1/model-routes'
    for (const [method, under, body] of [
      ['PUT', '/quick', to('viola')],
      ['DELETE', '/quick'],
      ['POST', '/quick/activate', { version: 1 }],
    ] as const) {
      expect((await send(method, `${path}${under}`, body, { key })).status).toBe(403)
    }
    for (const under of ['', '/quick', '/quick/versions']) {
      expect((await send('GET', `${path}${under}`, undefined, { key })).status).toBe(200)
    }
    expect((await send('POST', `${path}/quick/explain`, {}, { key })).status).toBe(200)
  })
})

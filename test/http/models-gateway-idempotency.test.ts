import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { eventually } from '../support/eventually.ts'
import { createPlayer, failingAfter, hangingAfter, type Player, saying } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let server: GatewayServer
let player: Player

beforeAll(async () => {
  player = createPlayer({ models: ['violin'] })
  server = await startGatewayServer({ providers: [player] })
})
afterAll(() => server[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'Why?' }]
const calls = () => player.calls.length + player.embedCalls.length
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** The parts of a response that do not depend on the request. */
async function contentOf(answer: Response) {
  const names = ['content-type', 'x-call-id', 'x-model-provider', 'x-model-used', 'x-cache', 'cache-control']
  return {
    status: answer.status,
    headers: names.map((name) => answer.headers.get(name)),
    body: await answer.text(),
  }
}

describe('an Idempotency-Key', () => {
  test.each([
    ['/api/v1/generate', { prompt: 'Why?', stream: false }, 'application/json; charset=utf-8'],
    ['/api/v1/generate', { prompt: 'Why?' }, 'application/x-ndjson'],
    ['/api/v1/chat', { messages, stream: false }, 'application/json; charset=utf-8'],
    ['/api/v1/chat', { messages, stream: true }, 'application/x-ndjson'],
    ['/api/v1/embed', { input: 'a' }, 'application/json; charset=utf-8'],
    ['/v1/chat/completions', { messages }, 'application/json; charset=utf-8'],
    ['/v1/chat/completions', { messages, stream: true }, 'text/event-stream; charset=utf-8'],
    ['/v1/completions', { prompt: 'Why?' }, 'application/json; charset=utf-8'],
    ['/v1/completions', { prompt: 'Why?', stream: true }, 'text/event-stream; charset=utf-8'],
    ['/v1/embeddings', { input: 'a' }, 'application/json; charset=utf-8'],
    ['/v1/messages', { messages, max_tokens: 10 }, 'application/json; charset=utf-8'],
    ['/v1/messages', { messages, max_tokens: 10, stream: true }, 'text/event-stream; charset=utf-8'],
    ['/v1/responses', { input: 'Why?' }, 'application/json; charset=utf-8'],
    ['/v1/responses', { input: 'Why?', stream: true }, 'text/event-stream; charset=utf-8'],
    ['/ollama/api/chat', { messages, stream: false }, 'application/json; charset=utf-8'],
    ['/ollama/api/chat', { messages }, 'application/x-ndjson'],
    ['/ollama/api/generate', { prompt: 'Why?', stream: false }, 'application/json; charset=utf-8'],
    ['/ollama/api/generate', { prompt: 'Why?' }, 'application/x-ndjson'],
    ['/ollama/api/embed', { input: 'a' }, 'application/json; charset=utf-8'],
  ])(
    'at %s with %j gets the first response again, and the model is called once',
    async (path, body, type) => {
      const before = calls()
      const key = randomUUID()
      const post = () => server.post(path, { model: 'violin', ...body }, keyed(key))
      const first = await post()
      expect(first.headers.get('idempotent-replay')).toBeNull()
      const answered = await contentOf(first)
      expect(answered).toMatchObject({
        status: 200,
        headers: [type, expect.any(String), 'openai', 'violin', 'off', 'no-store'],
      })
      const second = await post()
      expect(second.headers.get('idempotent-replay')).toBe('true')
      expect(await contentOf(second)).toEqual(answered)
      expect(calls()).toBe(before + 1)
    },
  )

  test('belongs to its account and its body', async () => {
    const before = calls()
    const key = randomUUID()
    const ask = (prompt: string, account?: string) =>
      server.post(
        '/api/v1/generate',
        { model: 'violin', prompt, stream: false },
        { ...keyed(key), key: account },
      )
    expect((await ask('Why?')).status).toBe(200)
    const reused = await ask('Why not?')
    expect(reused.status).toBe(422)
    expect(await reused.json()).toMatchObject({ error: { code: 'idempotency_key_reused' } })
    const other = await ask('Why?', (await server.addKey()).key)
    expect([other.status, other.headers.get('idempotent-replay')]).toEqual([200, null])
    expect(calls()).toBe(before + 2)
  })

  test('shared by two concurrent requests calls the model once', async () => {
    const before = calls()
    const go = Promise.withResolvers<void>()
    player.script(async function* (call, signal) {
      await go.promise
      yield* saying('Blue.')(call, signal)
    })
    const options = keyed(randomUUID())
    const ask = () =>
      server.post('/v1/chat/completions', { model: 'violin', messages, stream: true }, options)
    const both = [ask(), ask()]
    await eventually(() => calls() === before + 1)
    go.resolve()
    const [one, other] = await Promise.all(both)
    expect(await one?.text()).toBe(await other?.text())
    expect([one, other].filter((answer) => answer?.headers.get('idempotent-replay') === 'true')).toHaveLength(
      1,
    )
    expect(calls()).toBe(before + 1)
  })

  test.each(['/api/v1/generate', '/v1/completions'])(
    'at %s is retried after a response that failed or was truncated',
    async (path) => {
      const options = keyed(randomUUID())
      const ask = () => server.post(path, { model: 'violin', prompt: 'Why?', stream: true }, options)
      const broken = new ProviderFailure({ kind: 'unavailable', message: 'The string broke.' })
      player.script(failingAfter(broken), failingAfter(broken, 'The'))
      expect((await ask()).status).toBe(502)
      expect(await (await ask()).text()).toContain('answer_broke_off')
      const third = await ask()
      expect([third.status, third.headers.get('idempotent-replay')]).toEqual([200, null])
      expect(await third.text()).toContain('blue')
      expect((await ask()).headers.get('idempotent-replay')).toBe('true')
    },
  )

  test('of a caller that disconnected before the response is free again', async () => {
    const before = calls()
    const key = randomUUID()
    for (const stream of [false, true]) {
      const body = { model: 'violin', messages, stream }
      const options = keyed(`${key}-${stream}`)
      const leaving = new AbortController()
      player.script(hangingAfter('The'))
      const left = server.post('/v1/chat/completions', body, { ...options, signal: leaving.signal })
      await eventually(() => player.playing() === 1)
      leaving.abort()
      await left.then((answer) => answer.text()).catch(() => {})
      await eventually(() => player.playing() === 0)
      const again = await server.post('/v1/chat/completions', body, options)
      expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, null])
      await again.text()
    }
    expect(calls()).toBe(before + 4)
  })

  test('whose response is too large to be stored is refused, and the model is not called again', async () => {
    const long = 'x'.repeat(600_000)
    for (const stream of [false, true]) {
      const before = calls()
      const options = keyed(randomUUID())
      const ask = () => server.post('/v1/chat/completions', { model: 'violin', messages, stream }, options)
      player.script(saying(long, long))
      const first = await ask()
      expect(first.status).toBe(200)
      expect((await first.text()).length).toBeGreaterThan(1_200_000)
      const second = await ask()
      expect(second.status).toBe(422)
      expect(await second.json()).toMatchObject({
        error: { type: 'invalid_request_error', code: 'idempotency_answer_too_large' },
      })
      expect(calls()).toBe(before + 1)
    }
  })

  test('of the openai client replays a stream that the client reads', async () => {
    const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key, maxRetries: 0 })
    const options = { headers: { 'Idempotency-Key': randomUUID() } }
    const ask = async () => {
      const stream = await openai.chat.completions.create(
        { model: 'violin', messages: [{ role: 'user', content: 'Why?' }], stream: true },
        options,
      )
      const texts: string[] = []
      for await (const { id, choices } of stream) texts.push(`${id} ${choices[0]?.delta.content ?? ''}`)
      return texts
    }
    const first = await ask()
    expect(first.length).toBeGreaterThan(3)
    expect(await ask()).toEqual(first)
  })

  test('that is invalid is refused', async () => {
    const answer = await server.post(
      '/v1/embeddings',
      { model: 'violin', input: 'a' },
      keyed('x'.repeat(256)),
    )
    expect(answer.status).toBe(400)
  })
})

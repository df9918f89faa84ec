import { request as httpRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createPlayer, hangingAfter, type Player } from './models-gateway-player.ts'
import { type GatewayServer, type NewKey, startGatewayServer } from './models-gateway-server.ts'

const mebibyte = 1024 * 1024
let player: Player
let server: GatewayServer
let ada: NewKey
let grace: NewKey
let linus: NewKey

beforeAll(async () => {
  player = createPlayer({ models: ['violin'] })
  server = await startGatewayServer({
    providers: [player],
    environment: {
      MODEL_BODY_LIMIT: String(2 * mebibyte),
      MODEL_ACCOUNT_BODY_MEMORY: String(4 * mebibyte),
      MODEL_BODY_MEMORY: String(7 * mebibyte),
    },
  })
  ;[ada, grace, linus] = await Promise.all([server.addKey(), server.addKey(), server.addKey()])
})
afterAll(() => server[Symbol.asyncDispose]())

const bodyOf = (bytes: number) => ({
  model: 'violin',
  messages: [{ role: 'user', content: 'x'.repeat(bytes) }],
  stream: true,
})
const send = ({ key }: NewKey, bytes: number) => server.post('/v1/chat/completions', bodyOf(bytes), { key })

/** Reads the response to its end, so that its call has ended too. */
async function statusOf(sending: ReturnType<typeof send>): Promise<number> {
  const response = await sending
  await response.text()
  return response.status
}

/** Starts calls that hold their bodies until the result is disposed. */
async function holdCalls(holder: NewKey, count: number, bytes: number): Promise<AsyncDisposable> {
  const running = player.playing()
  player.script(...Array.from({ length: count }, () => hangingAfter('a')))
  const responses = await Promise.all(Array.from({ length: count }, () => send(holder, bytes)))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  return {
    async [Symbol.asyncDispose]() {
      // A response without a reference would be cancelled when it is collected as garbage.
      for (const { body } of responses) await body?.cancel()
      await eventually(() => player.playing() <= running)
    },
  }
}

/** Sends a body without a Content-Length. */
async function sendChunked({ key }: NewKey, bytes: number): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const request = httpRequest(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  request.on('error', reject).on('response', (response) => {
    readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
  })
  const body = JSON.stringify(bodyOf(bytes))
  for (let at = 0; at < body.length; at += 65_536) request.write(body.slice(at, at + 65_536))
  request.end()
  return await promise
}

describe('the bodies of running calls', () => {
  test('are bounded for an account, which does not affect another', async () => {
    await using running = new AsyncDisposableStack()
    running.use(await holdCalls(ada, 3, 1.3 * mebibyte))
    const refused = await send(ada, 1.3 * mebibyte)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('running model calls may have 4194304 bytes together') },
    })
    const chunked = await sendChunked(ada, 1.3 * mebibyte)
    expect(chunked.status).toBe(429)
    expect(chunked.text).toContain('running model calls')
    expect(await statusOf(send(ada, 1000))).toBe(200)
    expect(await statusOf(send(grace, 1.3 * mebibyte))).toBe(200)
    expect((await sendChunked(grace, 1.3 * mebibyte)).status).toBe(200)
  })

  test('are bounded for the process', async () => {
    await using running = new AsyncDisposableStack()
    running.use(await holdCalls(ada, 3, 1.3 * mebibyte))
    running.use(await holdCalls(grace, 2, 1.3 * mebibyte))
    const refused = await send(linus, 1.3 * mebibyte)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.text()).toContain('no memory left')
    expect(await sendChunked(linus, 1.3 * mebibyte)).toMatchObject({ status: 503 })
    expect(await statusOf(send(linus, 1000))).toBe(200)
  })

  test('are released when calls end, also those that are refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answer = await send(ada, 1.9 * mebibyte)
      expect(answer.status).toBe(200)
      await answer.text()
      expect((await sendChunked(ada, 1.9 * mebibyte)).status).toBe(200)
      expect(await statusOf(send(ada, 2.1 * mebibyte))).toBe(413)
      const invalid = await server.post('/v1/chat/completions', 'x'.repeat(1.9 * mebibyte), ada)
      expect(invalid.status).toBe(400)
    }
  })
})

test('a large body of very many values is refused', async () => {
  const many = `{"model":"violin","messages":[{"role":"user","content":"a \\" b"}],"x":[${'0,'.repeat(700_000)}0]}`
  const answer = await server.post('/v1/chat/completions', many, ada)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('more than 500000 JSON values')
  const quotes = { model: 'violin', messages: [{ role: 'user', content: '",["'.repeat(250_000) }] }
  expect((await server.post('/v1/chat/completions', quotes, ada)).status).toBe(200)
})

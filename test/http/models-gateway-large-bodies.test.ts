import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer as readBuffer, text as readText } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnthropicProvider } from '../../src/models/providers/anthropic/anthropic-provider.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'
import { patient } from './models-provider-support.ts'

const mebibyte = 1024 * 1024

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Servers of OpenAI and Anthropic that keep the bytes of the last request. */
interface Receiver extends AsyncDisposable {
  readonly url: string
  last(): Received
  /** The next requests are refused with 503. */
  refuse(count: number): void
}

const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3, input_tokens: 2, output_tokens: 1 }
const answers: Readonly<Record<string, object>> = {
  '/chat/completions': { choices: [{ message: { role: 'assistant', content: 'Blue.' } }], usage },
  '/completions': { choices: [{ text: 'Blue.' }], usage },
  '/embeddings': { object: 'list', data: [{ index: 0, embedding: [1] }], usage },
  '/messages': { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Blue.' }], usage },
  '/models': { data: [{ id: 'gpt' }, { id: 'text-embedding' }] },
}

async function startReceiver(): Promise<Receiver> {
  let last: Received | undefined
  let refused = 0
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? ''
    const body = await readBuffer(request)
    if (request.method === 'POST') last = { path, headers: request.headers, body }
    const isRefused = request.method === 'POST' && refused > 0
    if (isRefused) refused -= 1
    response.writeHead(isRefused ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[path] ?? {}))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    last() {
      if (last === undefined) throw new TypeError('no request has arrived')
      return last
    },
    refuse(count) {
      refused = count
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let receiver: Receiver
let server: GatewayServer

beforeAll(async () => {
  receiver = await startReceiver()
  const common = { limits: patient, readKey: async () => 'sk-test' }
  server = await startGatewayServer({
    providers: [
      createOpenAiProvider({ ...common, settings: { baseUrl: receiver.url, models: undefined } }),
      createAnthropicProvider({ ...common, settings: { baseUrl: receiver.url, models: ['claude'] } }),
    ],
    environment: { MODEL_BODY_LIMIT: String(24 * mebibyte), MODEL_RETRIES: '1' },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** With everything that JSON writes in more than one way, in 300 KB. */
const text = `"quoted" back\\slash, lines\n\tand 日本 😀 \u{feff}${'.'.repeat(100)}`.repeat(2000)
const plain = 'x'.repeat(400_000)
const messages = [
  { role: 'system', content: plain },
  { role: 'user', content: text },
]

describe('a large body arrives at the provider as the caller wrote it', () => {
  test.each([
    ['/v1/chat/completions', { model: 'gpt', messages, n: 2, stream: false }],
    ['/v1/completions', { model: 'gpt', prompt: text, stream: false }],
    ['/v1/embeddings', { model: 'text-embedding', input: [plain, text], encoding_format: 'float' }],
    ['/v1/messages', { model: 'claude', max_tokens: 9, stream: false, messages: messages.slice(1) }],
  ])('%s', async (path, body) => {
    const response = await server.post(path, body)
    expect(response.status, await response.text()).toBe(200)
    const received = receiver.last()
    expect(`/v1${received.path}`).toBe(path)
    expect(received.headers['content-length']).toBe(String(received.body.length))
    expect(received.headers['transfer-encoding']).toBeUndefined()
    const { model, ...sent } = JSON.parse(received.body.toString()) as { model: string }
    expect({ model, ...sent }).toEqual(body)
  })

  test('with the escape sequences of the caller', async () => {
    const escaped = JSON.stringify({ model: 'gpt', messages }).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const response = await server.post('/v1/chat/completions', escaped)
    expect(response.status).toBe(200)
    expect(receiver.last().body.toString()).toContain(escaped.slice(escaped.indexOf('"messages"'), -1))
  })

  test('also when the call is tried again', async () => {
    receiver.refuse(1)
    const response = await server.post('/v1/chat/completions', { model: 'gpt', messages, stream: false })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-model-attempts')).toBe('2')
    expect(JSON.parse(receiver.last().body.toString())).toEqual({ model: 'gpt', messages, stream: false })
  })

  test('without the fields that providers do not get', async () => {
    const cleaned = messages.map((message) => ({ ...message, annotations: [] }))
    const body = { model: 'gpt', messages: cleaned, stream: false, user: 'ada', functions: [], seed: null }
    expect((await server.post('/v1/chat/completions', body)).status).toBe(200)
    expect(JSON.parse(receiver.last().body.toString())).toEqual({ model: 'gpt', messages, stream: false })
  })
})

test.each([
  ['a control character', `${plain}\n`, 'not valid JSON: syntax error at position'],
  ['an unknown escape sequence', String.raw`${plain}\x`, 'not valid JSON: syntax error at position'],
  ['NUL', String.raw`${plain}\u0000`, 'cannot be stored'],
  ['half of a surrogate pair', String.raw`${plain}\ud83d`, 'cannot be stored'],
])('a large body with %s is refused', async (_kind, content, message) => {
  const body = `{"model":"gpt","messages":[{"role":"user","content":"${content}"}]}`
  const response = await server.post('/v1/chat/completions', body)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(message)
})

/** Sends a body in small chunks, so that the client of the test does not block the event loop itself. Returns the status. */
async function sendInChunks(body: Buffer): Promise<number> {
  const sending = httpRequest(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const responded = once(sending, 'response')
  for (let at = 0; at < body.length; at += 65_536) {
    if (!sending.write(body.subarray(at, at + 65_536))) await once(sending, 'drain')
    await nextTurn()
  }
  sending.end()
  const [response] = (await responded) as [Parameters<typeof readText>[0] & { statusCode: number }]
  await readText(response)
  return response.statusCode
}

const processorMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The longest time of the processor between two iterations of the event loop, in milliseconds. Other processes do not count. */
async function maxBlockMsOf(run: Promise<unknown>): Promise<number> {
  const running = new AbortController()
  const ended = run.finally(() => running.abort())
  let maxMs = 0
  let lastMs = processorMs()
  while (!running.signal.aborted) {
    await nextTurn()
    const nowMs = processorMs()
    maxMs = Math.max(maxMs, nowMs - lastMs)
    lastMs = nowMs
  }
  await ended
  return maxMs
}

test.each([
  ['a plain text', 'x'.repeat(16 * mebibyte)],
  ['a text with escape sequences', 'A "quoted" line\n'.repeat(mebibyte / 1.5)],
])('16 MiB of %s block the event loop for a part of the time of JSON.stringify', async (_kind, content) => {
  const data = { model: 'gpt', messages: [{ role: 'user', content }] }
  const body = Buffer.from(JSON.stringify(data))
  // Noise, such as a garbage collection, only adds to a time. With 16 MiB, JSON.stringify takes several times as long as a collection.
  const timeOf = { stringify: Number.POSITIVE_INFINITY, block: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 5; round += 1) {
    const beganMs = processorMs()
    JSON.stringify(data)
    timeOf.stringify = Math.min(timeOf.stringify, processorMs() - beganMs)
    const sending = sendInChunks(body)
    timeOf.block = Math.min(timeOf.block, await maxBlockMsOf(sending))
    expect(await sending).toBe(200)
    if (timeOf.block < timeOf.stringify / 2) break
  }
  expect(timeOf.block).toBeLessThan(timeOf.stringify)
})

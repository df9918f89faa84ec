import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forwardRequest } from './forward.ts'
import { type Protocol, protocolReaders } from './protocols.ts'
import type { ModelPart } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'

/* A server that sends the chunks of a test one by one, so that each arrives alone. */

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly chunks: readonly (string | Buffer)[]
  readonly ending?: 'end' | 'cut' | 'open'
}

let reply: Reply = { chunks: [] }
let connections = 0
const agent = new Agent()
const server = createServer((request, response) => {
  request.resume().on('end', () => void send(response, reply))
})
// On a busy machine the default of 5 s closes a connection that the client is about to use again.
server.keepAliveTimeout = 60_000
server.on('connection', () => {
  connections += 1
})

async function send(response: ServerResponse, { status = 200, headers, chunks, ending = 'end' }: Reply) {
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
  response.socket?.setNoDelay(true)
  for (const chunk of chunks) {
    response.write(chunk)
    await nextTurn()
  }
  if (ending === 'end') response.end()
  if (ending === 'cut') response.socket?.destroy()
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await agent.destroy()
  server.closeAllConnections()
  server.close()
})

interface Options {
  readonly protocol?: Protocol
  readonly hideUsage?: boolean
  readonly stream?: boolean
}

async function* forward(
  sent: Reply,
  { protocol = 'openai.chat', hideUsage = false, stream = true }: Options = {},
) {
  reply = sent
  yield* forwardRequest({
    label: 'OpenAI',
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prepare: async () => ({
      path: '/v1/chat/completions',
      headers: {},
      key: 'sk-secret',
      body: '{}',
      hideUsage,
    }),
    stream,
    reader: protocolReaders[protocol],
    dispatcher: agent,
    limits: { firstPartMs: 20_000, stallMs: 20_000 },
    signal: new AbortController().signal,
    onHeaders: () => {},
  })
}

async function collect(sent: Reply, options: Options = {}) {
  const parts: ModelPart[] = []
  for await (const part of forward(sent, options)) parts.push(part)
  const bytes = Buffer.concat(parts.flatMap((part) => (part.type === 'raw' ? [part.bytes] : [])))
  return { text: bytes.toString('utf8'), end: parts.at(-1), parts }
}

async function failing(sent: Reply, options: Options = {}) {
  const parts: ModelPart[] = []
  try {
    for await (const part of forward(sent, options)) parts.push(part)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const { kind, message, retryAfterSeconds } = error
    const text = parts.map((part) => (part.type === 'raw' ? part.bytes.toString('utf8') : '')).join('')
    return { kind, message, retryAfterSeconds, text }
  }
  throw new Error('it did not fail')
}

const piece = (text: string, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: reason }] })}\n\n`
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3}}\n\n'
const done = 'data: [DONE]\n\n'

describe('a stream is passed on unchanged', () => {
  const text = `: keep-alive\n\n${piece('Blau — grün 🎻')}${piece('.', 'stop')}${usage}${done}`
  const end = {
    type: 'end',
    finish: 'stop',
    usage: { inputTokens: 9, cachedInputTokens: null, outputTokens: 3 },
  }

  test.each([1, 2, 3, 7, 64, 10_000])('in chunks of %i bytes', async (size) => {
    const bytes = Buffer.from(text)
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_unused, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(await collect({ chunks })).toMatchObject({ text, end })
  })

  test('with other line breaks, fields and comments', async () => {
    const events = `: hello\r\n\r\nevent: chunk\r\nid: 1\r\n${piece('Blue', 'stop').replaceAll('\n', '\r\n')}${usage}data:[DONE]\r\n\r\n`
    for (const size of [5, 10_000]) {
      const chunks = events.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(await collect({ chunks })).toMatchObject({ text: events, end })
    }
  })

  test('with data in several lines', async () => {
    const events = `data: {"choices":\ndata: [{"index":0,"delta":{"content":"Blue"},"finish_reason":"stop"}]}\n\n${done}`
    const { text: passed, parts } = await collect({ chunks: [events] })
    expect(passed).toBe(events)
    expect(parts[0]).toMatchObject({ outputBytes: 4 })
  })

  test('in complete events only', async () => {
    const { parts } = await collect({
      chunks: [
        piece('a').slice(0, 9),
        piece('a').slice(9) + piece('b').slice(0, 5),
        piece('b', 'stop').slice(5),
        done,
      ],
    })
    for (const part of parts) if (part.type === 'raw') expect(part.bytes.toString('utf8')).toMatch(/\n\n$/)
  })

  test('without usage that the caller did not request', async () => {
    const sent = { chunks: [piece('Blue'), piece('', 'stop') + usage + done] }
    expect(await collect(sent, { hideUsage: true })).toMatchObject({
      text: piece('Blue') + piece('', 'stop') + done,
      end,
    })
    expect((await collect(sent)).text).toContain(usage)
  })

  test('without [DONE], when a finish reason came', async () => {
    expect(await collect({ chunks: [piece('Blue', 'stop'), usage] })).toMatchObject({ end })
  })

  test('and its connection is used again', async () => {
    const before = connections
    for (let count = 0; count < 5; count += 1) await collect({ chunks: [text.slice(0, 60), text.slice(60)] })
    expect(connections - before).toBeLessThanOrEqual(1)
  })
})

describe('a stream fails', () => {
  test.each([
    [
      'when it ends without its last event',
      { chunks: [piece('Blue')] },
      'malformed',
      /without its last event/,
    ],
    [
      'when it ends inside an event',
      { chunks: [piece('', 'stop'), 'data: {"cho'] },
      'malformed',
      /without its last/,
    ],
    [
      'when the connection breaks',
      { chunks: [piece('Blue')], ending: 'cut' },
      'unavailable',
      /closed the connection/,
    ],
    [
      'for an event that is no JSON',
      { chunks: [piece('Blue'), 'data: oops\n\n'] },
      'malformed',
      /invalid response/,
    ],
    [
      'for an error in it',
      {
        chunks: [
          piece('Blue'),
          'data: {"error":{"message":"busy sk-secret","code":"rate_limit_exceeded"}}\n\n',
        ],
      },
      'rate_limited',
      /busy \[key\]/,
    ],
  ] as const)('%s', async (_when, sent, kind, message) => {
    const failure = await failing(sent)
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) })
    expect(failure.text).toMatch(/^data: /)
  })

  test('for an event larger than four megabytes', async () => {
    const chunks = Array.from({ length: 70 }, () => 'x'.repeat(64 * 1024))
    expect(await failing({ chunks: ['data: ', ...chunks] })).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('too large'),
    })
  })

  test('for an error status, with its Retry-After', async () => {
    const body = '{"error":{"message":"Slow down.","type":"requests"}}'
    expect(await failing({ status: 429, headers: { 'retry-after': '7' }, chunks: [body] })).toMatchObject({
      kind: 'rate_limited',
      message: 'OpenAI has reached its rate limit: Slow down.',
      retryAfterSeconds: 7,
    })
    expect(await failing({ status: 502, chunks: ['<html>'] })).toMatchObject({ kind: 'unavailable' })
  })

  test('for an error event of Anthropic', async () => {
    const event =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    const failure = await failing({ chunks: [event] }, { protocol: 'anthropic.messages' })
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('Overloaded') })
  })
})

describe('a whole response', () => {
  const json = { 'content-type': 'application/json' }
  const body =
    '{"choices":[{"message":{"content":"Grün"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}'

  test('is passed on unchanged', async () => {
    const bytes = Buffer.from(body)
    const split = bytes.indexOf('ü') + 1
    const sent = { headers: json, chunks: [bytes.subarray(0, split), bytes.subarray(split)] }
    expect(await collect(sent, { stream: false })).toMatchObject({
      text: body,
      end: { finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 } },
    })
  })

  test.each([
    ['an invalid one', { chunks: ['{"choices":'] }, 'malformed'],
    ['another one', { chunks: ['{"object":"list"}'] }, 'malformed'],
    ['one that is cut off', { chunks: [body.slice(0, 30)], ending: 'cut' }, 'unavailable'],
  ] as const)('fails for %s', async (_what, sent, kind) => {
    expect(await failing({ headers: json, ...sent }, { stream: false })).toMatchObject({ kind })
  })
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OllamaProvider } from '../../src/models/providers/ollama/ollama-provider.ts'
import type { ModelCall, ModelPart } from '../../src/models/providers/provider.ts'
import { startOllamaProvider } from './models-provider-ollama-support.ts'

const model = 'gemma3:4b'
const calls = 100
const closing = new AsyncDisposableStack()
let provider: OllamaProvider
let connections: Set<unknown>
/** Ends the response after its last line. */
let finish: (response: ServerResponse) => void

const line = (content: string, fields: object) =>
  `${JSON.stringify({ model, message: { role: 'assistant', content }, ...fields })}\n`

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  connections.add(request.socket)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.method === 'GET') {
    response.end(JSON.stringify({ models: [{ name: model, model }] }))
    return
  }
  const isStream = (JSON.parse(Buffer.concat(chunks).toString()) as { stream?: boolean }).stream !== false
  // The response is larger than what may follow its last line.
  const text = 'word '.repeat(2000)
  if (isStream) response.write(line(text, { done: false }))
  response.write(line(isStream ? '' : text, { done: true, done_reason: 'stop', eval_count: 2 }))
  if (isStream) finish(response)
  else response.end()
}

beforeAll(async () => {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  // On a busy machine the default of 5 s closes a connection that the client is about to use again.
  server.keepAliveTimeout = 60_000
  await once(server, 'listening')
  closing.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  provider = closing.use(await startOllamaProvider({ nodeUrl: `http://127.0.0.1:${port}` }))
})
afterAll(() => closing.disposeAsync())
beforeEach(() => {
  connections = new Set()
})

const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }]
const translated: ModelCall = { model, kind: 'chat', messages }
const forwarded = (stream: boolean): ModelCall => ({
  ...translated,
  original: { protocol: 'ollama.chat', body: { model, messages, stream }, stream, nativeFields: [] },
})

async function send(call: ModelCall): Promise<ModelPart | undefined> {
  let last: ModelPart | undefined
  for await (const part of provider.stream(call, new AbortController().signal)) last = part
  return last
}

/** The last chunk arrives by itself, after the last line was read. */
async function finishLater(response: ServerResponse): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  response.end()
}

test.each([
  ['translated', translated],
  ['forwarded and streamed', forwarded(true)],
  ['forwarded as a whole', forwarded(false)],
] as const)(`${calls} calls one after another, %s, use one connection`, async (_how, call) => {
  finish = (response) => void finishLater(response)
  for (let index = 0; index < calls; index += 1) expect(await send(call)).toMatchObject({ type: 'end' })
  // The first request of a provider may find its pool empty while another one is sent.
  expect(connections.size).toBeLessThanOrEqual(2)
})

test.each([
  ['translated', translated],
  ['forwarded', forwarded(true)],
] as const)(
  'a caller that leaves the loop at the end, %s, leaves a connection for the next call',
  async (_how, call) => {
    finish = (response) => void finishLater(response)
    for (let index = 0; index < 10; index += 1) {
      for await (const part of provider.stream(call, new AbortController().signal))
        if (part.type === 'end') break
    }
    expect(connections.size).toBeLessThanOrEqual(2)
  },
)

test.each([
  ['sends more', (response: ServerResponse) => void response.write('x'.repeat(64 * 1024))],
  ['does not end it', () => {}],
])('a node that %s after the last line has its connection closed', async (_what, more) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  finish = (response) => {
    response.on('close', resolve)
    more(response)
  }
  expect(await send(translated)).toMatchObject({ type: 'end' })
  await closed
})

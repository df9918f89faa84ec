import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createPlayer, endPart, hangingAfter, type Play, type Player } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer({ models: ['violin'] })
  server = await startGatewayServer({ providers: [player], heartbeatMs: 20 })
})
afterAll(() => server[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'Why?' }]

/** Every completion endpoint, with a streamed and a non-streamed body. */
const ways = [
  ['/v1/chat/completions', { model: 'violin', messages }, { stream: true }, { stream: false }],
  ['/v1/completions', { model: 'violin', prompt: 'Why?' }, { stream: true }, { stream: false }],
  ['/api/v1/generate', { model: 'violin', prompt: 'Why?' }, {}, { stream: false }],
  ['/api/v1/chat', { model: 'violin', messages }, {}, { stream: false }],
] as const

const streamed = ways.map(([path, body, stream]) => [path, { ...body, ...stream }] as const)
const whole = ways.map(([path, body, , inOnePiece]) => [path, { ...body, ...inOnePiece }] as const)

/** Sends a request and resolves with the head of the response; only the test reads the body. */
async function open(path: string, body: object, to: GatewayServer = server): Promise<IncomingMessage> {
  const asking = request(`${to.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
  })
  asking.on('error', () => {})
  asking.end(JSON.stringify(body))
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return answer.setEncoding('utf8').on('error', () => {})
}

/** Reads until the text contains the pattern. */
async function readUntil(answer: IncomingMessage, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes(wanted)) return text
  }
  throw new Error(`the answer ended without ${wanted}: ${text}`)
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer) text += chunk
  return text
}

/** Waits until the call of a response is recorded as cancelled, a moment after it has ended. */
async function untilCancelled({ headers }: IncomingMessage): Promise<void> {
  await eventually(async () => {
    const rows = await server.database.query(
      "select from model_calls where id = $1 and outcome = 'cancelled'",
      [headers['x-call-id']],
    )
    return rows.length === 1
  })
}

describe.each(streamed)('a stream of %s', (path, body) => {
  test('arrives piece by piece', async () => {
    const go = Promise.withResolvers<void>()
    player.script(async function* () {
      yield { type: 'text', text: 'first' }
      await go.promise
      yield { type: 'text', text: 'second' }
      yield endPart
    })
    const answer = await open(path, body)
    expect(await readUntil(answer, 'first')).not.toContain('second')
    go.resolve()
    expect(await readAll(answer)).toContain('second')
  })

  test('aborts its provider when its caller disconnects', async () => {
    player.script(hangingAfter('first'))
    const answer = await open(path, body)
    await readUntil(answer, 'first')
    expect(player.playing()).toBe(1)
    answer.destroy()
    await eventually(() => player.playing() === 0)
    await untilCancelled(answer)
  })

  test('aborts its provider when its caller disconnects before the first word', async () => {
    player.script(hangingAfter())
    const leaving = new AbortController()
    const asked = server.post(path, body, { signal: leaving.signal })
    await eventually(() => player.playing() === 1)
    leaving.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await eventually(() => player.playing() === 0)
  })

  test('applies backpressure when its caller does not read', async () => {
    let sent = 0
    const piece = 'x'.repeat(16_384)
    const most = 64 * 1024 * 1024
    const flood: Play = async function* (_call, signal) {
      for (; sent < most; sent += piece.length) yield { type: 'text', text: piece }
      yield* hangingAfter()(_call, signal)
    }
    player.script(flood)
    const answer = await open(path, body)
    let last = -1
    // Until nothing more is read for 100 ms.
    await eventually(() => {
      const stands = sent === last
      last = sent
      return stands && sent > 0
    }, 100)
    expect(sent).toBeLessThan(most / 4)
    answer.destroy()
    await eventually(() => player.playing() === 0)
  })
})

describe.each(whole)('a non-streamed response of %s', (path, body) => {
  test('aborts its provider when its caller disconnects', async () => {
    player.script(hangingAfter('first'))
    const leaving = new AbortController()
    const asked = server.post(path, body, { signal: leaving.signal })
    await eventually(() => player.playing() === 1)
    leaving.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await eventually(() => player.playing() === 0)
    expect(server.logged.some((line) => line.includes('"level":50'))).toBe(false)
  })
})

test.each(['/v1/embeddings', '/api/v1/embed'])('%s aborts its provider, too', async (path) => {
  const asking = Promise.withResolvers<AbortSignal>()
  player.scriptEmbed(async (_call, signal) => {
    asking.resolve(signal)
    await once(signal, 'abort')
    throw signal.reason
  })
  const leaving = new AbortController()
  const asked = server.post(path, { model: 'violin', input: 'a' }, { signal: leaving.signal })
  const signal = await asking.promise
  leaving.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  await eventually(() => signal.aborted)
})

test('a caller that stops reading for too long is disconnected', async () => {
  await using impatient = await startGatewayServer({
    providers: [player],
    environment: { MODEL_READER_TIMEOUT: '50' },
  })
  player.script(async function* () {
    for (;;) yield { type: 'text', text: 'x'.repeat(16_384) }
  })
  const answer = await open('/api/v1/generate', { model: 'violin', prompt: 'Why?' }, impatient)
  await eventually(() => player.playing() === 0)
  answer.destroy()
})

describe('during a pause', () => {
  test('event streams have keep-alive comments', async () => {
    player.script(hangingAfter('first'))
    const answer = await open('/v1/chat/completions', { model: 'violin', messages, stream: true })
    const text = await readUntil(answer, ': still here\n\n: still here\n\n')
    answer.destroy()
    const events = text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'))
    for (const event of events) expect(event).toMatch(/^data: \{/)
  })

  test('line streams have none, because clients read every line', async () => {
    const go = Promise.withResolvers<void>()
    player.script(async function* () {
      yield { type: 'text', text: 'first' }
      await go.promise
      yield endPart
    })
    const answer = await open('/api/v1/generate', { model: 'violin', prompt: 'Why?' })
    await readUntil(answer, 'first')
    setTimeout(() => go.resolve(), 100)
    const rest = await readAll(answer)
    expect(rest.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(rest)).toMatchObject({ done: true })
  })
})

async function withServer(run: (closing: GatewayServer) => Promise<void>): Promise<void> {
  await using closing = await startGatewayServer({ providers: [player] })
  await run(closing)
}

describe('on shutdown', () => {
  /** Three quarters of it are for running responses. */
  const graceMs = 1000

  test.each([
    ['/v1/chat/completions', { model: 'violin', messages, stream: true }, '"code":"shutting_down"'],
    ['/api/v1/chat', { model: 'violin', messages }, '"code":"shutting_down"'],
  ])('a stream of %s that takes too long ends with an error', (path, body, told) =>
    withServer(async (closing) => {
      player.script(hangingAfter('first'))
      const answer = await open(path, body, closing)
      await readUntil(answer, 'first')
      const closed = closing.close(graceMs)
      expect(await readAll(answer)).toContain(told)
      await closed
      expect(player.playing()).toBe(0)
    }),
  )

  test.each([true, false])('a response that has not started by then is refused (stream: %s)', (stream) =>
    withServer(async (closing) => {
      player.script(hangingAfter())
      const asked = closing.post('/v1/chat/completions', { model: 'violin', messages, stream })
      await eventually(() => player.playing() === 1)
      const closed = closing.close(graceMs)
      const answer = await asked
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await answer.json()).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
      await closed
    }),
  )

  test.each([true, false])('a response may finish until the deadline (stream: %s)', (stream) =>
    withServer(async (closing) => {
      const go = Promise.withResolvers<void>()
      player.script(async function* () {
        yield { type: 'text', text: 'first' }
        await go.promise
        yield endPart
      })
      const asked = closing.post('/v1/chat/completions', { model: 'violin', messages, stream })
      await eventually(() => player.playing() === 1)
      const closed = closing.close(10_000)
      await eventually(() => isRefusing(closing))
      go.resolve()
      const text = await (await asked).text()
      expect(text).toContain('"first"')
      expect(text).toContain('"finish_reason":"stop"')
      await closed
    }),
  )
})

/** New callers are refused while the running responses finish. */
async function isRefusing({ url }: GatewayServer): Promise<boolean> {
  try {
    return (await fetch(`${url}/v1/models`)).status === 503
  } catch {
    return true
  }
}

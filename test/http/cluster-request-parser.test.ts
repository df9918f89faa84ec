import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataRequest, DataResponse } from '../../src/cluster/data-path/data-exchange.ts'
import { dataRequestOf, dataResponseOf } from '../../src/cluster/data-path/http-exchange.ts'
import { isForwarded, pathOf } from '../../src/cluster/data-path/runtime-paths.ts'
import { serveCallers } from '../../src/cluster/data-path/wire/serve-callers.ts'
import { eventually } from '../support/eventually.ts'

/*
 * The same bytes go to two servers with one handler: to Node's own, and to one whose connections our parser reads first. Whatever the
 * bytes are, both must read the same requests.
 */

const maxIdleMs = 60_000
const limitBytes = 4096

interface Reading {
  readonly server: Server
  /** The requests of the current connection. */
  requests: { readonly head: string; body?: string }[]
}

/** Responds with what was read, so that two readings can be compared. */
function echo(reading: Reading, request: DataRequest, response: DataResponse): void {
  const { method, url, rawHeaders } = request
  const read: Reading['requests'][number] = { head: JSON.stringify({ method, url, rawHeaders }) }
  reading.requests.push(read)
  const send = (status: number, body: string, more: readonly string[] = []) =>
    response.send(status, ['content-length', String(Buffer.byteLength(body)), ...more], body)
  request.readBody(limitBytes, {
    done(body) {
      read.body = body.toString('latin1')
      send(200, JSON.stringify(read))
    },
    tooLarge: () => send(413, 'too large', ['connection', 'close']),
  })
}

function start(): Reading {
  const server = createServer({ requireHostHeader: false }, (request, response) =>
    echo(reading, dataRequestOf(request), dataResponseOf(response, maxIdleMs)),
  )
  const reading: Reading = { server, requests: [] }
  server.keepAliveTimeout = 72_000
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  return reading
}

let ours: Reading
let nodes: Reading
/** Requests that our own parser has read. */
let readByUs = 0

beforeAll(async () => {
  ours = start()
  nodes = start()
  serveCallers(ours.server, {
    admit({ url }) {
      if (!isForwarded(pathOf(url))) return undefined
      readByUs += 1
      return (exchange) => echo(ours, exchange, exchange)
    },
    authenticate: () => undefined,
    maxUnreadMs: maxIdleMs,
    closing: new AbortController().signal,
  })
  await Promise.all([once(ours.server, 'listening'), once(nodes.server, 'listening')])
})

afterAll(async () => {
  for (const { server } of [ours, nodes]) {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
})

/** Sends the parts as packets of their own, then the end, and returns all that comes back. */
async function sendTo(reading: Reading, parts: readonly string[]) {
  reading.requests = []
  const socket = connect((reading.server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true)
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  for (const part of parts) {
    if (!socket.writable) break
    socket.write(part, 'latin1')
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  socket.end()
  await closed
  return { text: text.replaceAll(/^Date: .*\r\n/gm, ''), requests: reading.requests }
}

/** Expects the same requests. Node does not read the body of a request that is followed by one it refuses. */
async function expectTheSame(...parts: readonly string[]): Promise<void> {
  const [own, nodesOwn] = await Promise.all([sendTo(ours, parts), sendTo(nodes, parts)])
  const sent = JSON.stringify(parts)
  expect(
    own.requests.map(({ head }) => head),
    sent,
  ).toEqual(nodesOwn.requests.map(({ head }) => head))
  nodesOwn.requests.forEach(({ body: theirs }, index) => {
    if (theirs !== undefined) expect(own.requests[index]?.body, sent).toBe(theirs)
  })
}

/** Expects the same requests and responses. */
async function expectTheSameResponses(...parts: readonly string[]): Promise<string> {
  const [own, nodesOwn] = await Promise.all([sendTo(ours, parts), sendTo(nodes, parts)])
  expect(own, JSON.stringify(parts)).toEqual(nodesOwn)
  return own.text
}

const body = '{"model":"m"}'
const request = (fields: readonly string[] = [], text = body, line = 'POST /api/chat HTTP/1.1') =>
  [line, 'Host: localhost', `Content-Length: ${text.length}`, ...fields, '', text].join('\r\n')

describe('a request of the usual form', () => {
  test.each([
    ['alone', [request()]],
    [
      'with many fields',
      [request(['Accept: */*', 'x-a:b', 'X-Latin: caf\xe9', 'X-Empty:', 'X-Tab:\ta\tb\t'])],
    ],
    ['without a body', [request([], '')]],
    ['and another in the same packet', [request() + request(['x-second: 1'], '{}')]],
    ['and ten others in the same packet', [request().repeat(11)]],
    ['and a body in several packets', [request([], 'x'.repeat(3000)).slice(0, -2619), 'x'.repeat(2619)]],
    ['with a path of /v1 and a query', [request([], body, 'POST /v1/chat/completions?a=%20&b="c" HTTP/1.1')]],
    ['with names of object members', [request(['constructor: a', '__proto__: b', 'toString: c'])]],
  ])('%s is read by our own parser like by that of Node', async (_what, parts) => {
    const before = readByUs
    expect(await expectTheSameResponses(...parts)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(readByUs).toBeGreaterThan(before)
  })

  test('whose body is too large gets the same response, and the connection is closed', async () => {
    expect(await expectTheSameResponses(request([], 'x'.repeat(limitBytes + 1)))).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('that is split at any byte is read alike', async () => {
    const whole = request(['Accept: */*']) + request([], '{}')
    for (let at = 1; at < whole.length; at++) {
      await expectTheSameResponses(whole.slice(0, at), whole.slice(at))
    }
  })

  test('that ends too early is refused alike', async () => {
    const whole = request(['Accept: */*'])
    for (let length = 1; length < whole.length; length += 3)
      await expectTheSameResponses(whole.slice(0, length))
  })
})

const smuggled = 'POST /api/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'

describe('any other request', () => {
  test.each([
    ['two lengths', request(['Content-Length: 0'])],
    ['the same length twice', request([`Content-Length: ${body.length}`])],
    ['a list of lengths', request().replace('Length: 13', 'Length: 13, 13')],
    ['a length with a sign', request().replace('Length: 13', 'Length: +13')],
    ['a length in hexadecimal digits', request().replace('Length: 13', 'Length: 0xd')],
    ['no length', request().replace('Content-Length: 13\r\n', '')],
    ['a length and chunks', request(['Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`)],
    [
      'chunks alone',
      request(['Transfer-Encoding: chunked'], '0\r\n\r\n').replace(/Content-Length.*\r\n/, ''),
    ],
    ['a hidden encoding', request(['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`)],
    ['an unknown encoding', request(['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`)],
    ['a folded line', request(['X-A: b\r\n c'])],
    ['a folded length', request().replace('Length: 13', 'Length:\r\n 13')],
    ['lines that end in LF', request().replaceAll('\r\n', '\n')],
    ['one line that ends in LF', request(['X-A: b\nTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`)],
    ['a carriage return in a value', request(['X-A: b\rTransfer-Encoding: chunked'])],
    ['an empty line of LF', `${request().split('\r\n\r\n')[0]}\n\n${body}${smuggled}`],
    ['a zero byte', request(['X-A: b\0c'])],
    ['a name with a space', request(['X A: b'])],
    ['a line without a colon', request(['X-A'])],
    ['an empty name', request([': b'])],
    ['two hosts', request(['Host: other'])],
    ['no host', request().replace('Host: localhost\r\n', '')],
    ['two credentials', request(['Authorization: Bearer a', 'Authorization: Bearer b'])],
    ['an expectation', request(['Expect: 100-continue'])],
    ['another protocol', request(['Connection: Upgrade', 'Upgrade: h2c'])],
    ['a closed connection', request(['Connection: close'])],
    ['an old version', request([], body, 'POST /api/chat HTTP/1.0')],
    ['an unknown version', request([], body, 'POST /api/chat HTTP/1.11')],
    ['another method', request([], body, 'PUT /api/chat HTTP/1.1')],
    ['a method in lower case', request([], body, 'post /api/chat HTTP/1.1')],
    ['two spaces', request([], body, 'POST  /api/chat HTTP/1.1')],
    ['a whole address', request([], body, 'POST http://x/api/chat HTTP/1.1')],
    ['a fragment', request([], body, 'POST /api/chat#a HTTP/1.1')],
    ['a path that leads elsewhere', request([], body, 'POST /v1/../api/chat HTTP/1.1')],
    ['empty lines before it', `\r\n\r\n${request()}`],
    ['a head that is too large', request([`X-A: ${'a'.repeat(20_000)}`])],
    ['too many fields', request(Array.from({ length: 120 }, (_, index) => `X-${index}: a`))],
    ['another request as its body', request([], smuggled)],
  ])(
    'with %s is read like by the parser of Node, also after and before one of the usual form',
    async (_what, text) => {
      await expectTheSameResponses(text)
      await expectTheSame(request() + text)
      await expectTheSame(text + request())
    },
  )

  test('of generated bytes is read alike', async () => {
    const random = createRandom(20_261_117)
    const pieces = [
      'POST ',
      'GET ',
      '/api/chat',
      '/v1/embeddings',
      ' HTTP/1.1',
      ' HTTP/1.0',
      '\r\n',
      '\r\n',
      '\r\n\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      ':',
      '\0',
      'Host: a\r\n',
      'Content-Length: 2\r\n',
      'Content-Length: 0\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Connection: close\r\n',
      'X-A: b\r\n',
      '{}',
      '0\r\n\r\n',
      '2\r\n{}\r\n0\r\n\r\n',
      '\xff',
      ',',
      ';',
      '+',
    ]
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const mutate = (text: string): string => {
      const at = Math.floor(random() * text.length)
      const cut = Math.floor(random() * 3)
      return text.slice(0, at) + (random() < 0.8 ? pick(pieces) : '') + text.slice(at + cut)
    }
    for (let round = 0; round < 600; round++) {
      let text = request(['Accept: */*']) + (random() < 0.5 ? request([], '{}') : smuggled)
      for (let count = 0; count <= random() * 3; count++) text = mutate(text)
      const at = Math.floor(random() * text.length)
      if (random() < 0.5) await expectTheSame(text)
      else await expectTheSame(text.slice(0, at), text.slice(at))
    }
  })
})

/** Serves each request when the test says so. */
async function startWaiting() {
  const waiting: (() => void)[] = []
  const server = createServer((_request, response) => response.end('by node'))
  const closing = new AbortController()
  serveCallers(server, {
    authenticate: () => undefined,
    admit: () => (exchange) =>
      exchange.readBody(limitBytes, {
        done: (content) =>
          void waiting.push(() =>
            exchange.send(200, ['content-length', String(content.length)], content.toString()),
          ),
        tooLarge() {},
      }),
    maxUnreadMs: maxIdleMs,
    closing: closing.signal,
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const received = { text: '' }
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received.text += piece
  })
  const closed = once(socket, 'close')
  return { server, closing, socket, closed, waiting, received }
}

describe('a connection that our own parser reads', () => {
  test('serves more requests in advance than it buffers, in order, and hands over the last', async () => {
    const { server, socket, closed, waiting, received } = await startWaiting()
    const count = 100
    const contents = Array.from({ length: count }, (_, index) => `${index};`.padEnd(2000, '.'))
    socket.write(
      contents.map((content) => request([], content)).join('') + request(['Connection: close'], ''),
    )
    for (let served = 0; served < count; served++) {
      await eventually(() => waiting.length === 1)
      waiting.pop()?.()
    }
    await closed
    server.close()
    const numbers = [...received.text.matchAll(/(\d+);\./g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(contents.map((_, index) => index))
    expect(received.text).toMatch(/by node$/)
  })

  test('is closed when it is idle, and after its response when the server closes', async () => {
    const busy = await startWaiting()
    busy.socket.write(request())
    await eventually(() => busy.waiting.length === 1)
    const idle = connect((busy.server.address() as AddressInfo).port, '127.0.0.1')
    await once(idle, 'connect')
    const idleClosed = once(idle.resume(), 'close')
    const serverClosed = once(busy.server, 'close')
    await eventually(async () => (await countConnections(busy.server)) === 2)
    busy.server.close()
    await idleClosed
    expect(await countConnections(busy.server)).toBe(1)
    busy.waiting.pop()?.()
    await Promise.all([busy.closed, serverClosed])
    expect(busy.received.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/)
  })

  test('is closed by closeAllConnections in the middle of a request', async () => {
    const { server, socket, closed, waiting, received } = await startWaiting()
    socket.write(request())
    await eventually(() => waiting.length === 1)
    const serverClosed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await Promise.all([closed, serverClosed])
    waiting.pop()?.()
    expect(received.text).toBe('')
  })
})

function countConnections(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count))
  return promise
}

/** The same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

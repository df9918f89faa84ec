import { createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '#kernel/telemetry'
import { awaitClosed, echo, listen, makeOutbound, serve } from './outbound-support.ts'

const allow = ['127.0.0.1']

/** A raw TCP server: its bytes are sent unchanged. */
function serveRaw(answer: (socket: Socket) => void) {
  return listen(
    createTcpServer((socket) => {
      socket.once('data', () => answer(socket))
    }),
  )
}

describe('a request', () => {
  test('sends method, headers and body, and returns status, headers, body and time', async () => {
    await using server = await serve((request, response) => {
      response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] })
      return echo(request, response)
    })
    const { outbound } = makeOutbound({ allow })
    const answer = await outbound.request(`http://127.0.0.1:${server.port}/a?b=c`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Thing': 'ü'.normalize('NFC') },
      body: '{"a":1}',
      accept: 'application/json',
    })
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] },
      url: `http://127.0.0.1:${server.port}/a?b=c`,
      redirects: 0,
      durationMs: expect.any(Number),
    })
    expect(JSON.parse(answer.body.toString())).toEqual({
      method: 'POST',
      url: '/a?b=c',
      body: '{"a":1}',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'close',
        'user-agent': 'tutti',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': '7',
        'x-thing': 'ü',
      },
    })
  })

  test('leaves no connection open and shares none', async () => {
    await using server = await serve((_request, response) => response.end('x'))
    const { outbound } = makeOutbound({ allow })
    for (let index = 0; index < 3; index += 1) await outbound.request(`http://127.0.0.1:${server.port}/`)
    expect(server.sockets).toHaveLength(3)
    await awaitClosed(server)
  })

  test('returns an error status as a response', async () => {
    await using server = await serve((_request, response) => response.writeHead(503).end('later'))
    const answer = await makeOutbound({ allow }).outbound.request(`http://127.0.0.1:${server.port}/`)
    expect([answer.status, answer.body.toString()]).toEqual([503, 'later'])
  })

  test.each(['TRACE', 'CONNECT', 'get', 'GET / HTTP/1.1\r\nX: y'])(
    'refuses the method %j',
    async (method) => {
      const { outbound } = makeOutbound({ allow })
      await expect(
        outbound.request('http://127.0.0.1:9999/', { method: method as 'GET' }),
      ).rejects.toMatchObject({
        code: 'outbound_invalid_request',
      })
    },
  )

  test.each([
    { Host: 'x' },
    { 'content-length': '1' },
    { 'transfer-encoding': 'chunked' },
    { 'x-a': 'b\r\nx-c: d' },
  ])('refuses the headers %j before connecting', async (headers) => {
    await using server = await serve((_request, response) => response.end())
    const { outbound } = makeOutbound({ allow })
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`, { headers })).rejects.toMatchObject({
      code: 'outbound_invalid_request',
      retryable: false,
    })
    expect(server.sockets).toHaveLength(0)
  })

  test('is counted by its outcome', async () => {
    await using server = await serve((_request, response) => response.end('x'))
    using metrics = createMetrics({ watchProcess: false })
    const { outbound } = makeOutbound({ allow, metrics })
    await outbound.request(`http://127.0.0.1:${server.port}/`)
    await outbound.request('http://10.0.0.1/').catch(() => {})
    await outbound.checkUrl('http://[::1]/').catch(() => {})
    const text = await metrics.render()
    expect(text).toContain('tutti_outbound_request_seconds_count{outcome="answered"} 1')
    expect(text).toContain('tutti_outbound_request_seconds_count{outcome="outbound_refused"} 1')
    expect(text).toContain('tutti_outbound_refusals_total{reason="private"} 1')
    expect(text).toContain('tutti_outbound_refusals_total{reason="loopback"} 1')
  })
})

describe('the time limit applies', () => {
  test('when the host never answers', async () => {
    await using server = await serve(() => {})
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`http://127.0.0.1:${server.port}/`, { timeoutMs: 100 }),
    ).rejects.toMatchObject({
      code: 'outbound_timeout',
      retryable: true,
    })
    await awaitClosed(server)
  })

  test('when the body drips', async () => {
    await using server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`http://127.0.0.1:${server.port}/`, { timeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: 'outbound_timeout',
    })
    await awaitClosed(server)
  })

  test('when the headers drip', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`http://127.0.0.1:${server.port}/`, { timeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: 'outbound_timeout',
    })
  })

  test('when the DNS lookup hangs', async () => {
    const { outbound } = makeOutbound({ resolve: () => new Promise(() => {}) })
    await expect(outbound.request('http://slow.example/', { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'outbound_timeout',
    })
  })

  test('when the TLS handshake hangs', async () => {
    await using server = await listen(createTcpServer())
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`https://127.0.0.1:${server.port}/`, { connectTimeoutMs: 100 }),
    ).rejects.toMatchObject({
      code: 'outbound_timeout',
      message: 'The host did not accept a connection in time.',
    })
    await awaitClosed(server)
  })
})

describe('the size limit applies', () => {
  test.each([
    ['a declared length', 'content-length: 5000\r\n\r\n', ''],
    ['no declared length', '\r\n', ''],
    ['chunks', 'transfer-encoding: chunked\r\n\r\n', 'chunked'],
  ])('with %s', async (_kind, head, encoding) => {
    await using server = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}`)
      const pump = (): void => {
        const part = 'x'.repeat(1000)
        if (!socket.destroyed)
          socket.write(encoding === '' ? part : `3e8\r\n${part}\r\n`, () => setImmediate(pump))
      }
      pump()
    })
    const { outbound } = makeOutbound({ allow })
    await expect(
      outbound.request(`http://127.0.0.1:${server.port}/`, { maxResponseBytes: 4000 }),
    ).rejects.toMatchObject({
      code: 'outbound_too_large',
      retryable: false,
      details: { maxResponseBytes: 4000 },
    })
    await awaitClosed(server)
  })

  test('a response of exactly the limit is returned', async () => {
    await using server = await serve((_request, response) => response.end('x'.repeat(4000)))
    const { outbound } = makeOutbound({ allow })
    const answer = await outbound.request(`http://127.0.0.1:${server.port}/`, { maxResponseBytes: 4000 })
    expect(answer.body).toHaveLength(4000)
  })

  test('a compressed response is not decompressed', async () => {
    const packed = gzipSync('x'.repeat(1_000_000))
    await using server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    )
    const { outbound } = makeOutbound({ allow })
    const answer = await outbound.request(`http://127.0.0.1:${server.port}/`, { maxResponseBytes: 10_000 })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.body.equals(packed)).toBe(true)
  })

  test('a HEAD response may declare any length', async () => {
    await using server = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': 9e9 }).end(),
    )
    const { outbound } = makeOutbound({ allow })
    const answer = await outbound.request(`http://127.0.0.1:${server.port}/`, {
      method: 'HEAD',
      maxResponseBytes: 10,
    })
    expect(answer.body).toHaveLength(0)
  })

  test('to the headers, too', async () => {
    await using server = await serveRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`),
    )
    const { outbound } = makeOutbound({ allow })
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
      code: 'outbound_too_large',
    })
  })
})

describe('a misbehaving host is reported by its fault', () => {
  test('it is unreachable', async () => {
    const { port } = await (async () => {
      await using gone = await listen(createTcpServer())
      return { port: gone.port }
    })()
    const { outbound } = makeOutbound({ allow })
    await expect(outbound.request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'outbound_unreachable',
      retryable: true,
    })
  })

  test.each([
    ['closes at once', (socket: Socket) => void socket.destroy(), 'outbound_connection_lost'],
    ['closes without an answer', (socket: Socket) => void socket.end(), 'outbound_connection_lost'],
    [
      'speaks another protocol',
      (socket: Socket) => void socket.end('SSH-2.0-OpenSSH\r\n'),
      'outbound_bad_response',
    ],
    [
      'breaks off in the middle',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
      'outbound_connection_lost',
    ],
    [
      'sends two lengths',
      (socket: Socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'outbound_bad_response',
    ],
    [
      'switches protocols unasked',
      (socket: Socket) =>
        void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'outbound_connection_lost',
    ],
  ])('it %s', async (_what, answer, code) => {
    await using server = await serveRaw(answer)
    const { outbound } = makeOutbound({ allow })
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({ code })
    expect(server.sockets).toHaveLength(1)
  })

  test('it closes every connection before the request is read: one attempt is made', async () => {
    await using server = await listen(createTcpServer((socket) => void socket.destroy()))
    const { outbound } = makeOutbound({ allow })
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
      code: 'outbound_connection_lost',
      retryable: true,
    })
    expect(server.sockets).toHaveLength(1)
  })

  test('it sends more than it declared: the rest is ignored', async () => {
    await using server = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n'),
    )
    const { outbound } = makeOutbound({ allow })
    const outcome = await outbound.request(`http://127.0.0.1:${server.port}/`).then(
      ({ body }) => body.toString(),
      ({ code }: { code: string }) => code,
    )
    expect(['abc', 'outbound_bad_response', 'outbound_connection_lost']).toContain(outcome)
  })
})

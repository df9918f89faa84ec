import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { untilClosed } from '../support/until-closed.ts'
import {
  answerOf,
  answerWithNumber,
  askForModel,
  startWireNode,
  type WireRequest,
} from './cluster-node-connection-node.ts'

const model = 'gemma3:4b'
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

function number({ nth }: WireRequest): string {
  return JSON.stringify({ answer: nth })
}

describe('a connection to a node', () => {
  test('is reused', async () => {
    await using node = await startWireNode(answerWithNumber)
    await using service = await startServiceFor([node], calm)
    for (let nth = 1; nth <= 5; nth++) {
      expect(await askForModel(service)).toMatchObject({ status: 200, text: JSON.stringify({ answer: nth }) })
    }
    expect(node.requests.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1])
  })

  test('sends a small request in one piece, a large one completely, with the path of the node', async () => {
    await using node = await startWireNode(answerWithNumber, {
      path: '/behind/a/gate',
    })
    await using service = await startServiceFor([node], calm)
    const small = JSON.stringify({ model, prompt: 'ü😀' })
    const large = JSON.stringify({ model, prompt: 'ü'.repeat(200_000) })
    await service.post('/api/chat?a=b', small, { headers: { 'x-own': 'Grüße' } })
    await service.post('/api/chat', large)
    const [first, second] = node.requests
    expect(first?.head.split('\r\n').toSorted()).toEqual(
      expect.arrayContaining([
        'POST /behind/a/gate/api/chat?a=b HTTP/1.1',
        `host: ${new URL(node.url).host}`,
        `content-length: ${Buffer.byteLength(small)}`,
        'x-own: Grüße',
      ]),
    )
    expect(first?.inOnePiece).toBe(true)
    expect(Buffer.from(first?.body ?? '', 'latin1').toString()).toBe(small)
    expect(Buffer.from(second?.body ?? '', 'latin1').toString()).toBe(large)
  })

  test.each<[string, (request: WireRequest) => void]>([
    ['the node says so', (request) => request.socket.write(answerOf(number(request), 'Connection: close'))],
    [
      'the node would close it in a moment',
      (request) => request.socket.write(answerOf(number(request), 'Keep-Alive: timeout=1')),
    ],
    [
      'the node speaks HTTP/1.0',
      (request) => request.socket.write(answerOf(number(request)).replace('1.1', '1.0')),
    ],
    [
      'its end is the end of the answer',
      (request) => request.socket.end(`HTTP/1.1 200 OK\r\n\r\n${number(request)}`),
    ],
    [
      'more came than the answer',
      (request) =>
        request.socket.write(answerOf(number(request)) + answerOf('{"answer":"for another caller"}')),
    ],
    [
      'more came than the last chunk',
      (request) =>
        request.socket.write(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n${number(request)}\r\n0\r\n\r\nx`,
        ),
    ],
  ])('is not reused when %s', async (_what, work) => {
    await using node = await startWireNode(work)
    await using service = await startServiceFor([node], calm)
    for (let nth = 1; nth <= 3; nth++) {
      expect(await askForModel(service)).toMatchObject({ status: 200, text: JSON.stringify({ answer: nth }) })
    }
    expect(node.requests.map(({ connection }) => connection)).toEqual([1, 2, 3])
    await eventually(() => node.open === 0)
  })

  test('is not reused when the node responded before the whole request was sent', async () => {
    await using node = await startWireNode(answerWithNumber)
    await using service = await startServiceFor([node], { ...calm, CLUSTER_BODY_LIMIT: '33554432' })
    await askForModel(service)
    const [socket] = node.sockets
    // More than the socket buffers hold for a caller that does not read.
    const body = JSON.stringify({ model, prompt: 'x'.repeat(24 * 1024 * 1024) })
    socket?.removeAllListeners('data').once('readable', () => socket.write(answerOf('{"answer":"no"}')))
    expect(await (await service.post('/api/chat', body)).text()).toBe('{"answer":"no"}')
    expect(await askForModel(service)).toMatchObject({ status: 200, text: '{"answer":2}' })
    expect(node.sockets).toHaveLength(2)
  })

  test('is closed when it was idle for the keep-alive time of the node', async () => {
    await using node = await startWireNode((request) =>
      request.socket.write(answerOf(number(request), 'Keep-Alive: timeout=2')),
    )
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    const [socket] = node.sockets
    if (socket === undefined) throw new Error('no request arrived')
    await untilClosed(socket)
  })

  test('is closed when the service stops', async () => {
    await using node = await startWireNode(answerWithNumber)
    const service = await startServiceFor([node], calm)
    await askForModel(service)
    expect(node.open).toBe(1)
    await service.close()
    await eventually(() => node.open === 0)
  })
})

describe('a connection closed by the node', () => {
  test.each<[string, (request: WireRequest) => unknown]>([
    ['in good order', ({ socket }) => socket.end()],
    ['by a reset', ({ socket }) => socket.resetAndDestroy()],
  ])('%s, when it is reused, is hidden from the caller', async (_what, close) => {
    await using node = await startWireNode((request) => {
      if (request.nth === 2) close(request)
      else answerWithNumber(request)
    })
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    const { response, text } = await askForModel(service)
    expect(response.status).toBe(200)
    expect(text).toBe('{"answer":3}')
    expect(response.headers.get('x-cluster-attempts')).toBeNull()
    expect(node.requests.map(({ connection }) => connection)).toEqual([1, 1, 2])
    expect(service.cluster.nodes()).toMatchObject([{ requests: 2, failures: 0, status: 'healthy' }])
  })

  test('is not reused', async () => {
    await using node = await startWireNode(answerWithNumber)
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    node.sockets[0]?.end()
    await eventually(() => node.open === 0)
    expect(await askForModel(service)).toMatchObject({ status: 200, text: '{"answer":2}' })
  })

  test('is not retried when it was new', async () => {
    await using node = await startWireNode(({ socket }) => socket.end())
    await using service = await startServiceFor([node], calm)
    const { status, text } = await askForModel(service)
    expect(status).toBe(502)
    expect(text).toContain('the connection was closed before the response was complete')
    expect(node.requests).toHaveLength(1)
  })

  test('is not retried after one byte of a response', async () => {
    await using node = await startWireNode((request) => {
      if (request.nth === 1) answerWithNumber(request)
      else request.socket.end('H')
    })
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    expect((await askForModel(service)).status).toBe(502)
    expect(node.requests).toHaveLength(2)
  })

  test('is retried once', async () => {
    await using node = await startWireNode((request) => {
      if (request.nth === 1) answerWithNumber(request)
      else request.socket.end()
    })
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    expect((await askForModel(service)).status).toBe(502)
    expect(node.requests.map(({ connection }) => connection)).toEqual([1, 1, 2])
  })
})

describe('a caller that disconnects', () => {
  test('before the node has responded closes a kept-alive connection', async () => {
    await using node = await startWireNode((request) => {
      if (request.nth === 1) answerWithNumber(request)
    })
    await using service = await startServiceFor([node], calm)
    await askForModel(service)
    const body = JSON.stringify({ model })
    const caller = connect(Number(new URL(service.url).port), '127.0.0.1')
    caller.write(
      `POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await eventually(() => node.requests.length === 2)
    caller.destroy()
    await once(caller, 'close')
    await eventually(() => node.open === 0)
    // A connection that we closed is not one that the node closed: there is no retry.
    expect(node.requests).toHaveLength(2)
  })
})

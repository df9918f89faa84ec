import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import {
  answerOf,
  askForModel,
  startWireNode,
  type WireNode,
  type WireRequest,
} from './cluster-node-connection-node.ts'

const model = 'gemma3:4b'
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

/** More than all buffers hold, and every part of it differs. */
function makeLargeBody(): Buffer {
  const body = Buffer.allocUnsafe(12 * 1024 * 1024)
  for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return body
}

function* inChunks(body: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    yield Buffer.concat([Buffer.from(`${part.length.toString(16)};a=b\r\n`), part, Buffer.from('\r\n')])
  }
  yield Buffer.from('0\r\nX-Sum: 1\r\n\r\n')
}

describe('a node response', () => {
  test.each<[string, string, (body: Buffer) => readonly Buffer[]]>([
    ['with a length', 'Content-Length: 12582912\r\n', (body) => [body]],
    ['in chunks of odd sizes', 'Transfer-Encoding: chunked\r\n', (body) => [...inChunks(body, 4999)]],
    ['until the connection ends', 'Connection: close\r\n', (body) => [body]],
  ])('%s reaches a slow reader, byte for byte', async (what, header, frame) => {
    const body = makeLargeBody()
    await using node = await startWireNode(({ socket, nth }) => {
      if (nth === 2) {
        socket.write(answerOf('{}'))
        return
      }
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\n${header}\r\n`)
      for (const piece of frame(body)) socket.write(piece)
      if (what.startsWith('until')) socket.end()
    })
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/v1/audio/speech', { model })
    expect(response.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const hash = createHash('sha256')
    let read = 0
    for await (const chunk of response.body ?? []) {
      hash.update(chunk)
      read += chunk.length
      if (read % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(read).toBe(body.length)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(body).digest('hex'))
    expect((await askForModel(service)).text).toBe('{}')
    expect(node.sockets).toHaveLength(what.startsWith('until') ? 2 : 1)
  })

  test('reaches the caller in one piece, when it came in one', async () => {
    const body = `{"text":"${'x'.repeat(40_000)}"}`
    await using node = await startWireNode(({ socket }) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    )
    await using service = await startServiceFor([node], calm)
    const { response, text } = await askForModel(service)
    expect(text).toBe(body)
    expect(response.headers.get('content-length')).toBe(String(body.length))
  })

  test('follows informational responses, and may have no body', async () => {
    await using node = await startWireNode(({ socket }) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nX-Own: kept\r\nX-Cluster-Node: other\r\n\r\n',
      ),
    )
    await using service = await startServiceFor([node], calm)
    const { response, status, text } = await askForModel(service)
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(response.headers.get('x-own')).toBe('kept')
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('x-cluster-node')).toBe(service.cluster.nodes()[0]?.id)
    expect(await askForModel(service)).toMatchObject({ status: 204 })
    expect(node.sockets).toHaveLength(1)
  })

  test.each<[string, (request: WireRequest) => unknown, RegExp]>([
    ['ends', ({ socket }) => socket.end('{"done":true}\n'), /^\{"done":true\}\n$/],
    [
      'breaks',
      ({ socket }) => socket.resetAndDestroy(),
      /^\{"error":"node .* the connection was closed[^"]*"\}\n$/,
    ],
  ])('without a length %s with its connection', async (_what, close, rest) => {
    await using node = await startWireNode(({ socket }) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{"token":1}\n'),
    )
    await using service = await startServiceFor([node], calm)
    expect(await readInTwo(service, node, close)).toEqual(['{"token":1}\n', expect.stringMatching(rest)])
  })

  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 'it tells its length twice'],
    [
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'it tells its length and comes in chunks',
    ],
    ['HTTP/1.1 200 OK\nContent-Length: 2\n\n{}', 'it has lines that end in an unusual way'],
    [
      'HTTP/1.1 200 OK\r\nX-Own: a\r\n b\r\nContent-Length: 0\r\n\r\n',
      'it has a header without a proper name',
    ],
    [`HTTP/1.1 200 OK\r\nX-Own: ${'a'.repeat(20_000)}`, 'its head is larger than 16 KiB'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n',
      'a chunk has a size that is not a number',
    ],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'it does not begin with a status line'],
  ])('that is invalid closes the connection, and the caller gets the reason: %j', async (text, reason) => {
    await using node = await startWireNode(({ socket }) => socket.write(text))
    await using service = await startServiceFor([node], calm)
    const answer = await askForModel(service)
    expect(answer.status).toBe(502)
    expect(answer.text).toContain(`the response is not valid HTTP: ${reason}`)
    expect(node.requests).toHaveLength(1)
    await eventually(() => node.open === 0)
  })

  test('that becomes invalid in the middle of a stream ends it with an error line', async () => {
    await using node = await startWireNode(({ socket }) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{"token":1}\n\r\n',
      ),
    )
    await using service = await startServiceFor([node], calm)
    expect(await readInTwo(service, node, ({ socket }) => socket.write('-1\r\n'))).toEqual([
      '{"token":1}\n',
      expect.stringContaining('a chunk has a size that is not a number'),
    ])
    await eventually(() => node.open === 0)
  })
})

/** Reads the first piece of a stream, runs the callback, and reads the rest. */
async function readInTwo(
  service: TestClusterService,
  { requests }: WireNode,
  happen: (request: WireRequest) => unknown,
): Promise<[string, string]> {
  const { body } = await service.post('/api/chat', { model })
  const texts = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())
  const pieces = texts[Symbol.asyncIterator]()
  const first = String((await pieces.next()).value)
  for (const request of requests) happen(request)
  let rest = ''
  for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) rest += piece.value
  return [first, rest]
}

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import type { TestClusterService } from '../support/cluster-service.ts'

/** A raw model request. */
export interface WireRequest {
  readonly socket: Socket
  /** The number of its connection, counted from 1. */
  readonly connection: number
  /** The number of the request, counted from 1. */
  readonly nth: number
  readonly head: string
  readonly body: string
  /** Whether it arrived in one piece. */
  readonly inOnePiece: boolean
}

export interface WireNode extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly WireRequest[]
  /** Connections that were used for requests, open or not. */
  readonly sockets: readonly Socket[]
  readonly open: number
}

export interface WireNodeOptions {
  readonly host?: string
  readonly path?: string
  readonly certificate?: { readonly key: string; readonly cert: string }
}

const models = JSON.stringify({ models: [{ name: 'gemma3:4b', model: 'gemma3:4b' }] })
const probed: Readonly<Record<string, string>> = {
  '/api/tags': models,
  '/api/ps': models,
  '/api/version': '{"version":"0.13.5"}',
}

/** A non-streamed response. */
export function answerOf(body: string, ...headers: readonly string[]): string {
  const lines = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`]
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`
}

/**
 * A node without an HTTP stack: to a model request it writes the bytes of the test, or closes the connection, or
 * does not respond. It responds to probes correctly.
 */
export async function startWireNode(
  work: (request: WireRequest) => void,
  { host = '127.0.0.1', path = '', certificate }: WireNodeOptions = {},
): Promise<WireNode> {
  const requests: WireRequest[] = []
  const sockets: Socket[] = []
  const all = new Set<Socket>()

  function receive(socket: Socket): void {
    all.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => all.delete(socket))
    let pending = ''
    let pieces = 0
    socket.on('data', (bytes) => {
      pending += bytes.toString('latin1')
      pieces += 1
      for (;;) {
        const headEnd = pending.indexOf('\r\n\r\n')
        if (headEnd === -1) return
        const head = pending.slice(0, headEnd)
        const bodyStart = headEnd + 4
        const end = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
        if (pending.length < end) return
        const body = pending.slice(bodyStart, end)
        pending = pending.slice(end)
        answer(socket, head, body, pieces === 1)
        pieces = 0
      }
    })
  }

  function answer(socket: Socket, head: string, body: string, inOnePiece: boolean): void {
    const asked = (head.split(' ')[1] ?? '').slice(path.length)
    const known = probed[asked]
    if (known !== undefined) {
      socket.end(answerOf(known, 'Connection: close'))
      return
    }
    if (!sockets.includes(socket)) sockets.push(socket)
    const connection = sockets.indexOf(socket) + 1
    const request = { socket, connection, nth: requests.length + 1, head, body, inOnePiece }
    requests.push(request)
    work(request)
  }

  const server: Server =
    certificate === undefined ? createServer(receive) : createSecureServer(certificate, receive)
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://${name}:${port}${path}`,
    requests,
    sockets,
    get open() {
      return sockets.filter((socket) => !socket.destroyed).length
    },
    async [Symbol.asyncDispose]() {
      for (const socket of all) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends a request for the model of such a node. */
export async function askForModel(service: TestClusterService) {
  const response = await service.post('/api/chat', { model: 'gemma3:4b' })
  return { response, status: response.status, text: await response.text() }
}

/** Responds with the number of the request. */
export function answerWithNumber({ socket, nth }: Pick<WireRequest, 'socket' | 'nth'>): void {
  socket.write(answerOf(JSON.stringify({ answer: nth })))
}

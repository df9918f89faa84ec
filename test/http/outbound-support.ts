import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createOutbound, type OutboundOptions, type OutboundRequest } from '#kernel/outbound'
import { createLogger } from '#kernel/telemetry'
import { untilClosed } from '../support/until-closed.ts'

export interface TestServer extends AsyncDisposable {
  readonly port: number
  readonly sockets: readonly Socket[]
}

/** Listens on a loopback address and remembers every connection made to it. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<TestServer> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    // A socket without a reader would not notice its end.
    socket.resume()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

export function serve(answer: Answer): Promise<TestServer> {
  return listen(createServer((request, response) => void answer(request, response)))
}

/** Echoes the request. */
export async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, url, headers } = request
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
}

/** Resolves when the other side has closed every connection made so far. */
export async function awaitClosed({ sockets }: TestServer): Promise<void> {
  for (const socket of sockets) await untilClosed(socket)
}

type Request = Partial<OutboundRequest>

/** An outbound guard with a silent log; the lines are kept. All calls are those of one account, unless they name another. */
export function makeOutbound(options: Partial<OutboundOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  })
  const outbound = createOutbound({ allow: [], log, ...options })
  const account = 'tester'
  return {
    lines,
    outbound: {
      request: (url: string | URL, request: Request = {}) => outbound.request(url, { account, ...request }),
      stream: (url: string | URL, request: Request = {}) => outbound.stream(url, { account, ...request }),
      checkUrl: (url: string | URL, check: Request = {}) => outbound.checkUrl(url, { account, ...check }),
    },
  }
}

/** Counts the sockets that the calling test opens. The platforms of other test files in this process open sockets as well. */
export function countConnections(): Disposable & { readonly count: number } {
  const test = new AsyncLocalStorage<true>()
  test.enterWith(true)
  let count = 0
  const add = (): void => {
    if (test.getStore() === true) count += 1
  }
  subscribe('net.client.socket', add)
  return {
    get count() {
      return count
    },
    [Symbol.dispose]() {
      unsubscribe('net.client.socket', add)
      test.disable()
    },
  }
}

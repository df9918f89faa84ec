import { type CallListener, type ConnectionSource, NodeCall } from './node-call.ts'
import type { NodeConnection } from './node-connection.ts'
import { addressOf, type SocketAddress } from './open-socket.ts'

/** A request to a node. Paths and headers come from a parser that rejects line breaks. */
export interface RouteRequest {
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The connections to one node. */
export interface NodeRoute {
  /** Creates a call, which the caller starts. */
  call(request: RouteRequest, listener: CallListener): NodeCall
  /** Stops keeping connections. Running requests finish. */
  retire(): void
}

interface NodeRouteOptions {
  readonly url: string
  /** Undefined when the route is closed. */
  readonly open: (
    address: SocketAddress,
    onGone: (connection: NodeConnection) => void,
  ) => NodeConnection | undefined
}

/** Maximum of idle connections. */
const maxKept = 256

export function createNodeRoute({ url, open }: NodeRouteOptions): NodeRoute {
  const parsed = new URL(url)
  const address = addressOf(parsed)
  const beforePath = `POST ${parsed.pathname.replace(/\/$/, '')}`
  const afterPath = ` HTTP/1.1\r\nhost: ${parsed.host}\r\n`
  const kept: NodeConnection[] = []
  let isRetired = false

  const forget = (connection: NodeConnection): void => {
    const index = connection.wasKept ? kept.indexOf(connection) : -1
    if (index !== -1) kept.splice(index, 1)
  }

  const source: ConnectionSource = {
    // The most recently used connection is the least likely to be closed; the others expire.
    takeKept: () => kept.pop(),
    open: () => open(address, forget),
    giveBack(connection, keepMs) {
      if (keepMs === 0 || isRetired || kept.length >= maxKept) {
        connection.destroy()
        return
      }
      kept.push(connection)
      connection.keep(keepMs)
    },
  }

  function writeHead({ path, headers, body }: RouteRequest): string {
    let head = beforePath + path + afterPath
    for (let index = 0; index < headers.length; index += 2) {
      head += `${headers[index]}: ${headers[index + 1]}\r\n`
    }
    return `${head}content-length: ${body.length}\r\n\r\n`
  }

  return {
    call: (request, listener) =>
      new NodeCall(source, { head: writeHead(request), body: request.body }, listener),
    retire() {
      isRetired = true
      while (kept.length > 0) kept.pop()?.destroy()
    },
  }
}

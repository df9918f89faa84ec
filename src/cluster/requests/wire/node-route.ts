import { type CallListener, type ConnectionSource, NodeCall } from './node-call.ts'
import type { NodeConnection } from './node-connection.ts'
import { addressOf, type SocketAddress } from './open-socket.ts'

/** What is asked of a node. Paths and headers come from a parser that lets nothing pass that would end a line. */
export interface RouteRequest {
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The way to one node. */
export interface NodeRoute {
  /** A call that is to be started. */
  call(request: RouteRequest, listener: CallListener): NodeCall
  /** Keeps no connection any more. Running requests finish. */
  retire(): void
}

interface NodeRouteOptions {
  readonly url: string
  /** Undefined when no more connections are made. */
  readonly open: (
    address: SocketAddress,
    onGone: (connection: NodeConnection) => void,
  ) => NodeConnection | undefined
}

/** However many requests there were at once, no more connections than these are kept. */
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
    // The one that was used last is the least likely to be closed, and the others get old and go.
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

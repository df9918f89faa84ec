import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Deadlines } from '../../requests/deadlines.ts'
import { CallerConnection, type ConnectionOwner } from './caller-connection.ts'
import { createWriteBuffers } from './write-buffers.ts'
import { createHttpDate } from './write-response.ts'

interface CallerServerOptions extends Pick<ConnectionOwner, 'admit' | 'authenticate'> {
  /** A caller that reads nothing for this long counts as disconnected. */
  readonly maxUnreadMs: number
  /** Aborts when the server starts to close. */
  readonly closing: AbortSignal
}

/** Limits of connections last a minute, so that a coarse clock is enough. */
const tickMs = 1000
/** Node's server waits so much longer than it announces, for a request that is on its way. */
const idleBufferMs = 1000

/**
 * Reads the requests of a server's connections with our own parser, as far as `admit` takes them; Node's server gets all others, with
 * their connection. Idle and open connections are closed by the methods of the server that do so for those of Node.
 */
export function serveCallers(
  server: Server,
  { admit, authenticate, maxUnreadMs, closing }: CallerServerOptions,
): void {
  const others = server.listeners('connection') as ((socket: Socket) => void)[]
  const connections = new Set<CallerConnection>()
  const owner: ConnectionOwner = {
    deadlines: new Deadlines({ tickMs }),
    limits: {
      firstRequestMs: server.headersTimeout,
      idleMs: server.keepAliveTimeout + idleBufferMs,
      requestMs: server.requestTimeout,
      maxUnreadMs,
    },
    keepSeconds: Math.floor(server.keepAliveTimeout / 1000),
    date: createHttpDate(),
    writeBuffers: createWriteBuffers(),
    isKeeping: () => server.listening && !closing.aborted,
    admit,
    authenticate,
    handOver(socket) {
      for (const listener of others) listener.call(server, socket)
    },
    refuse(socket, code) {
      const error = Object.assign(new Error('the request did not arrive whole'), { code })
      if (!server.emit('clientError', error, socket)) socket.destroy()
    },
    onGone: (connection) => void connections.delete(connection),
  }

  function destroyThose(isMeant: (connection: CallerConnection) => boolean): void {
    for (const connection of connections) if (isMeant(connection)) connection.destroy()
  }

  const closeIdle = server.closeIdleConnections.bind(server)
  const closeAll = server.closeAllConnections.bind(server)
  server.closeIdleConnections = () => {
    destroyThose(({ isIdle }) => isIdle)
    closeIdle()
  }
  server.closeAllConnections = () => {
    destroyThose(() => true)
    closeAll()
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => void connections.add(new CallerConnection(socket, owner)))
}

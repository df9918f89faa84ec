import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpServer } from './http-server.ts'

/** Part of the grace period that is reserved for a final message to the client. */
const finalMessage = { maxMs: 1000, share: 0.25 }

/**
 * Closes the server: refuses new requests and waits up to `graceMs` for running ones. Shortly before the end `terminating` aborts, so that
 * streams can send a final message; then the remaining connections are closed. With `drainMs`, requests on open connections are first
 * served for so long. Throws what `app.close()` throws.
 */
export async function closeHttpServer(app: HttpServer, graceMs: number, drainMs = 0): Promise<void> {
  const finalMessageMs = Math.min(finalMessage.maxMs, graceMs * finalMessage.share)
  let cut: NodeJS.Timeout | undefined
  const terminating = setTimeout(() => {
    app.terminating.abort()
    // Started here, so that there is time for the message also when the process did not run for a while.
    cut = setTimeout(() => app.server.closeAllConnections(), finalMessageMs)
  }, graceMs - finalMessageMs)
  let sweep: NodeJS.Timeout | undefined
  try {
    const drained = drainMs > 0 ? drain(app.server) : undefined
    await Promise.race([drained, delay(drainMs, undefined, { ref: false })])
    // Node closes idle connections only once; a connection whose last response is sent later would stay open.
    sweep = setInterval(() => app.server.closeIdleConnections(), 50)
    await app.close()
    await drained
  } finally {
    clearTimeout(terminating)
    clearTimeout(cut)
    clearInterval(sweep)
  }
}

/**
 * Accepts no further connections, and closes each open one after its next response. Closing idle connections at once, as `app.close()`
 * does, fails the request that a client is just sending on one. Resolves when no connection is left.
 */
function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  return new Promise((resolve) => {
    // http.Server.close would close the idle connections too.
    NetServer.prototype.close.call(server, () => resolve())
  })
}

import { kernelFailure } from '#kernel/errors'
import { watchEventLoop } from './event-loop-watch.ts'
import type { HttpServer } from './http-server.ts'

interface LoadSheddingOptions {
  readonly overloadedBy: (() => string | undefined) | undefined
  readonly closing: AbortSignal
}

const mostLoopDelayMs = 1000

/** Refuses new requests early, with 503, while the process cannot keep up or is closing. Health checks always pass. */
export function shedLoad(app: HttpServer, { overloadedBy, closing }: LoadSheddingOptions): void {
  const loop = watchEventLoop({ limitMs: mostLoopDelayMs, windowMs: 500 })
  app.addHook('onClose', async () => loop.close())
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.neverShed === true) return
    if (closing.aborted) {
      reply.header('connection', 'close')
      throw kernelFailure('shutting_down', { retryAfterSeconds: 5 })
    }
    const limit = loop.isLate() ? 'processor' : overloadedBy?.()
    if (limit !== undefined) throw kernelFailure('overloaded', { details: { limit }, retryAfterSeconds: 2 })
  })
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from './http-server.ts'

interface LoadSheddingOptions {
  readonly exhaustedResource: (() => string | undefined) | undefined
  readonly closing: AbortSignal
}

const maxLoopDelayMs = 1000

/** Refuses new requests with 503 while the process is overloaded or closing. Health checks always pass. */
export function shedLoad(app: HttpServer, { exhaustedResource, closing }: LoadSheddingOptions): void {
  const loop = monitorEventLoop({ limitMs: maxLoopDelayMs, windowMs: 500 })
  app.addHook('onClose', async () => loop.close())
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.neverShed === true) return
    if (closing.aborted) {
      reply.header('connection', 'close')
      throw kernelFailure('shutting_down', { retryAfterSeconds: 5 })
    }
    const limit = loop.isLate() ? 'processor' : exhaustedResource?.()
    if (limit !== undefined) throw kernelFailure('overloaded', { details: { limit }, retryAfterSeconds: 2 })
  })
}

export interface EventLoopMonitor {
  /** Whether the mean delay exceeded the limit in each of the last two windows. */
  isLate(): boolean
  close(): void
}

export interface EventLoopMonitorOptions {
  readonly limitMs: number
  readonly windowMs: number
}

type Delays = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'count' | 'mean' | 'enable' | 'disable' | 'reset'
>

/**
 * Monitors the delay of the event loop. A window without a sample counts for nothing. One late window may be a single long task that has
 * already ended, so only two in a row count.
 */
export function monitorEventLoop(
  { limitMs, windowMs }: EventLoopMonitorOptions,
  delays: Delays = monitorEventLoopDelay({ resolution: 20 }),
): EventLoopMonitor {
  delays.enable()
  let late = false
  let lateBefore = false
  const timer = setInterval(() => {
    if (delays.count === 0) return
    const lateNow = delays.mean / 1e6 > limitMs
    late = lateNow && lateBefore
    lateBefore = lateNow
    delays.reset()
  }, windowMs)
  timer.unref()
  return {
    isLate: () => late,
    close() {
      clearInterval(timer)
      delays.disable()
    },
  }
}

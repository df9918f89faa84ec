import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ActiveSpan, Metrics, Tracing } from '#kernel/telemetry'
import type { Vitals } from '#kernel/vitals'
import type { HttpServer } from './http-server.ts'

interface Observers {
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly vitals?: Pick<Vitals, 'answered'>
}

/** Counts and times every request by route, traces it, and writes one log line for each. */
export function observeRequests(app: HttpServer, { metrics, tracing, vitals }: Observers): void {
  const duration = metrics.histogram({
    name: 'http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labels: ['interface', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })

  function conclude(request: FastifyRequest, reply: FastifyReply, span: ActiveSpan): void {
    const { method } = request
    const route = routeOf(request)
    const status = reply.raw.statusCode
    // A client that left saw no status; the line says so, and the histogram counts it apart.
    const left = !reply.raw.writableFinished
    span.setAttributes({ 'http.response.status_code': status })
    if (status >= 500) span.fail(`answered ${status}`)
    const spoken = request.routeOptions.config?.interfaceName ?? 'none'
    duration.observe(
      { interface: spoken, method, route, status: left ? 'client left' : String(status) },
      reply.elapsedTime / 1000,
    )
    const ms = Math.round(reply.elapsedTime * 10) / 10
    // Whoever asks for health asks all day, and is no measure of how others are answered.
    const isHealthCheck = request.routeOptions.config?.neverShed === true
    if (!isHealthCheck) {
      const streamed = request.isEventStream
      vitals?.answered({
        interfaceName: spoken,
        status,
        ms: reply.elapsedTime,
        left: left && !streamed,
        streamed,
        foreseen: request.failedAsForeseen,
      })
    }
    const level = isHealthCheck ? 'debug' : 'info'
    request.log[level](
      { method, route, status, ms, ...(left && { left }), trace: span.traceId },
      `${method} ${route} ${left ? 'client left' : status} ${ms} ms`,
    )
  }

  app.addHook('onRequest', (request, reply, done) => {
    const options = {
      kind: 'server',
      parentHeaders: request.headers,
      attributes: { 'http.request.method': request.method, 'http.route': routeOf(request) },
    } as const
    // `done` runs the rest of the request inside the span. `close` comes once for every answer: sent, streamed or cut.
    void tracing.span(`${request.method} ${routeOf(request)}`, options, (span) => {
      const answered = Promise.withResolvers<void>()
      reply.raw.once('close', () => {
        conclude(request, reply, span)
        answered.resolve()
      })
      done()
      return answered.promise
    })
  })
}

/** The pattern, not the address: an address may carry ids and would make a metric of its own for each. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown path'
}

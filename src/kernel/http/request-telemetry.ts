import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { ActiveSpan, Metrics, Tracing } from '#kernel/telemetry'
import type { HttpServer } from './http-server.ts'

interface RequestTelemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly metricsHistory?: Pick<MetricsHistory, 'recordResponse'>
}

/** Records duration, trace and one log line of every request. */
export function recordRequests(
  app: HttpServer,
  { metrics, tracing, metricsHistory }: RequestTelemetry,
): void {
  const duration = metrics.histogram({
    name: 'http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labels: ['interface', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })

  function recordResponse(request: FastifyRequest, reply: FastifyReply, span: ActiveSpan): void {
    const { method } = request
    const route = routeOf(request)
    const status = reply.raw.statusCode
    // A client that disconnected early saw no status; log and histogram record it separately.
    const left = !reply.raw.writableFinished
    span.setAttributes({ 'http.response.status_code': status })
    if (status >= 500) span.fail(`status ${status}`)
    const api = request.routeOptions.config?.interfaceName ?? 'none'
    duration.observe(
      { interface: api, method, route, status: left ? 'client left' : String(status) },
      reply.elapsedTime / 1000,
    )
    const ms = Math.round(reply.elapsedTime * 10) / 10
    // Frequent health checks would distort the statistics.
    const isHealthCheck = request.routeOptions.config?.neverShed === true
    if (!isHealthCheck) {
      const streamed = request.isEventStream
      metricsHistory?.recordResponse({
        interfaceName: api,
        status,
        ms: reply.elapsedTime,
        left: left && !streamed,
        streamed,
        isExpectedFailure: request.isExpectedFailure,
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
    // `done` runs the rest of the request inside the span. `close` fires once per response: sent, streamed or aborted.
    void tracing.span(`${request.method} ${routeOf(request)}`, options, (span) => {
      const closed = Promise.withResolvers<void>()
      reply.raw.once('close', () => {
        recordResponse(request, reply, span)
        closed.resolve()
      })
      done()
      return closed.promise
    })
  })
}

/** The route pattern: a path may contain ids, and each would become a label value of its own. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown path'
}

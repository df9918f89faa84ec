import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.ts'
import { redactText } from './redact-text.ts'
import { createRedactor } from './redactor.ts'
import { readTraceContext, writeTraceContext } from './trace-context.ts'
import type { ActiveSpan, SpanAttributes, SpanOptions, Tracing, TracingOptions } from './tracing.ts'

const exportTimeoutMs = 3000
const shutdownTimeoutMs = 4000
const warningIntervalMs = 60_000

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/** Traces to an OTLP collector. Provider and context belong to this object; nothing is registered globally. */
export function createOtlpTracing(options: TracingOptions & { readonly endpoint: string }): Tracing {
  const provider = createProvider(options)
  const tracer = provider.getTracer('tutti', options.version)
  const contexts = new AsyncLocalStorageContextManager()
  const redactor = createRedactor()

  function parentContext(headers: SpanOptions['parentHeaders']): Context {
    const remote = headers === undefined ? undefined : readTraceContext(headers)
    return remote === undefined ? contexts.active() : trace.setSpanContext(contexts.active(), remote)
  }

  function showAttributes(attributes: SpanAttributes): Attributes {
    const shown: Attributes = {}
    for (const [name, value] of Object.entries(redactor.redactFields({ ...attributes }))) {
      if (value !== undefined) shown[name] = redactor.redactValue(value)
    }
    return shown
  }

  function activate(span: Span): ActiveSpan {
    return {
      traceId: span.spanContext().traceId,
      setAttributes: (attributes) => void span.setAttributes(showAttributes(attributes)),
      fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(reason) }),
    }
  }

  function runSpan<Result>(
    name: string,
    spanOptions: SpanOptions,
    run: (span: ActiveSpan) => Result,
  ): Result {
    const { kind = 'internal', attributes = {}, parentHeaders } = spanOptions
    const parent = parentContext(parentHeaders)
    const span = tracer.startSpan(
      name,
      { kind: spanKinds[kind], attributes: showAttributes(attributes) },
      parent,
    )
    try {
      const result = contexts.with(trace.setSpan(parent, span), () => run(activate(span)))
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      return result.then(
        (value: unknown) => {
          span.end()
          return value
        },
        (error: unknown) => {
          endWithError(span, error)
          throw error
        },
      ) as Result
    } catch (error) {
      endWithError(span, error)
      throw error
    }
  }

  const activeContext = () => trace.getSpan(contexts.active())?.spanContext()

  async function shutdown(): Promise<void> {
    const waiting = new AbortController()
    await Promise.race([
      provider.shutdown().catch(() => {}),
      delay(shutdownTimeoutMs, undefined, { ref: false, signal: waiting.signal }).catch(() => {}),
    ])
    waiting.abort()
  }

  return {
    span: runSpan,
    activeTraceId: () => activeContext()?.traceId,
    activeHeaders() {
      const active = activeContext()
      return active === undefined ? {} : writeTraceContext(active)
    },
    shutdown,
    [Symbol.asyncDispose]: shutdown,
  }
}

function endWithError(span: Span, error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  span.recordException({ name, message: redactText(message), stack: redactText(stack ?? '') })
  span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(message) })
  span.end()
}

function createProvider({
  endpoint,
  serviceName,
  version,
  log,
}: TracingOptions & { readonly endpoint: string }) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs })
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  return new TracerProvider({
    resource: defaultResource().merge(resource),
    spanLimits: { attributeValueLengthLimit: 8192 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: warnOnFailure(exporter, log),
        scheduledDelayMillis: 2000,
        exportTimeoutMillis: exportTimeoutMs + 500,
      }),
    ],
  })
}

/** A collector that is away costs spans and one warning a minute, nothing else. */
function warnOnFailure(exporter: SpanExporter, log: Logger): SpanExporter {
  let quietUntil = 0
  let lost = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          lost += spans.length
          if (Date.now() >= quietUntil) {
            log.warn({ err: result.error, lost }, 'traces could not be sent to the collector')
            quietUntil = Date.now() + warningIntervalMs
            lost = 0
          }
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

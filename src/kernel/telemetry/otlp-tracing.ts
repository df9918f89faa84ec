import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  createTraceState,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from './logger.ts'
import { createResource } from './otlp-resource.ts'
import { createRedactor, redactText } from './redactor.ts'
import type { ActiveSpan, OpenSpan, SpanAttributes, SpanOptions, Tracing, TracingOptions } from './tracing.ts'

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

/** Sends traces to an OTLP collector. Provider and context belong to this object; there is no global registration. */
export function createOtlpTracing(options: TracingOptions & { readonly endpoint: string }): Tracing {
  const provider = createProvider(options)
  const tracer = provider.getTracer('tutti', options.version)
  const contexts = new AsyncLocalStorageContextManager()
  const redactor = createRedactor()

  /** The open spans of this object, by which a span finds its parent. */
  const spans = new WeakMap<OpenSpan, Span>()

  function parentContext({ parentHeaders: headers, parent }: SpanOptions): Context {
    const local = parent && spans.get(parent)
    if (local !== undefined) return trace.setSpan(contexts.active(), local)
    const remote = headers === undefined ? undefined : readTraceContext(headers)
    return remote === undefined ? contexts.active() : trace.setSpanContext(contexts.active(), remote)
  }

  function redactAttributes(attributes: SpanAttributes): Attributes {
    const redactedAttributes: Attributes = {}
    for (const [name, value] of Object.entries(redactor.redactFields({ ...attributes }))) {
      if (value !== undefined) redactedAttributes[name] = redactor.redactValue(value)
    }
    return redactedAttributes
  }

  function activate(span: Span): ActiveSpan {
    return {
      traceId: span.spanContext().traceId,
      setAttributes: (attributes) => void span.setAttributes(redactAttributes(attributes)),
      fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(reason) }),
    }
  }

  function begin(name: string, spanOptions: SpanOptions): { readonly span: Span; readonly parent: Context } {
    const { kind = 'internal', attributes = {} } = spanOptions
    const parent = parentContext(spanOptions)
    const described = { kind: spanKinds[kind], attributes: redactAttributes(attributes) }
    return { span: tracer.startSpan(name, described, parent), parent }
  }

  function start(name: string, spanOptions: SpanOptions = {}): OpenSpan {
    const { span } = begin(name, spanOptions)
    const open: OpenSpan = {
      ...activate(span),
      headers: writeTraceContext(span.spanContext()),
      end: () => void (span.isRecording() && span.end()),
    }
    spans.set(open, span)
    return open
  }

  function runSpan<Result>(
    name: string,
    spanOptions: SpanOptions,
    run: (span: ActiveSpan) => Result,
  ): Result {
    const { span, parent } = begin(name, spanOptions)
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
    const settled = new AbortController()
    await Promise.race([
      provider.shutdown().catch(() => {}),
      delay(shutdownTimeoutMs, undefined, { ref: false, signal: settled.signal }).catch(() => {}),
    ])
    settled.abort()
  }

  return {
    enabled: true,
    span: runSpan,
    start,
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
  instanceId = randomUUID(),
  log,
}: TracingOptions & { readonly endpoint: string }) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs })
  return new TracerProvider({
    resource: createResource({ serviceName, version, instanceId }),
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

/** When the collector is unreachable, spans are lost and one warning a minute is logged. */
function warnOnFailure(exporter: SpanExporter, log: Logger): SpanExporter {
  let quietUntil = 0
  let lost = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          lost += spans.length
          if (Date.now() >= quietUntil) {
            log.warn({ err: result.error, lost }, 'could not send traces to the collector')
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

// Version, trace id, span id, flags. Later versions may have further parts, version 00 may not.
const traceParent =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const maxTraceStateLength = 512

/** Reads the W3C trace context of a request; undefined when it is malformed. */
export function readTraceContext(
  headers: NonNullable<SpanOptions['parentHeaders']>,
): SpanContext | undefined {
  const parent = headers.traceparent
  const match = typeof parent === 'string' ? traceParent.exec(parent.trim()) : null
  if (match === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = match
  if (version === '00' && more !== undefined) return undefined
  const state = headers.tracestate
  const stateText = typeof state === 'string' ? state : (state?.join(',') ?? '')
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(stateText !== '' &&
      stateText.length <= maxTraceStateLength && { traceState: createTraceState(stateText) }),
  }
}

/** Writes a trace context as W3C headers. */
export function writeTraceContext(context: SpanContext): Record<string, string> {
  const flags = context.traceFlags.toString(16).padStart(2, '0')
  const state = context.traceState?.serialize() ?? ''
  return {
    traceparent: `00-${context.traceId}-${context.spanId}-${flags}`,
    ...(state !== '' && { tracestate: state }),
  }
}

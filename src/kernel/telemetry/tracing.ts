import type { Logger } from './logger.ts'

export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Headers of the incoming request; the span continues their `traceparent` and `tracestate`. */
  readonly parentHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A running span. */
export interface ActiveSpan {
  readonly traceId: string | undefined
  setAttributes(attributes: SpanAttributes): void
  /** Marks the span as failed without an error, for example for a response with status 500. */
  fail(reason: string): void
}

export interface Tracing extends AsyncDisposable {
  /** Runs the function as a span, which fails when the function throws or rejects. */
  span<Result>(name: string, options: SpanOptions, run: (span: ActiveSpan) => Result): Result
  activeTraceId(): string | undefined
  /** The headers that let another service continue the active trace. */
  activeHeaders(): Readonly<Record<string, string>>
  /** Sends the remaining spans, for at most a few seconds. Never rejects. */
  shutdown(): Promise<void>
}

export interface TracingOptions {
  /** Base URL of the collector. Without one, tracing is off and OpenTelemetry is not loaded. */
  readonly endpoint: string | undefined
  readonly serviceName: string
  readonly version: string
  readonly log: Logger
}

/** Starts tracing if a collector is configured. Does not throw for an unreachable collector: failed exports are logged. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return disabledTracing()
  // OpenTelemetry takes longer to load than the rest of the module, so it is loaded only when used.
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing({ endpoint, ...options })
}

function disabledTracing(): Tracing {
  const span: ActiveSpan = { traceId: undefined, setAttributes() {}, fail() {} }
  const noHeaders = Object.freeze({})
  return {
    span: (_name, _options, run) => run(span),
    activeTraceId: () => undefined,
    activeHeaders: () => noHeaders,
    async shutdown() {},
    async [Symbol.asyncDispose]() {},
  }
}

import type { Logger } from './logger.ts'

export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Headers of the incoming request; the span continues their `traceparent` and `tracestate`. */
  readonly parentHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The parent of the span. Default: the span of `parentHeaders`, else the active span. */
  readonly parent?: OpenSpan
}

/** A running span. */
export interface ActiveSpan {
  readonly traceId: string | undefined
  setAttributes(attributes: SpanAttributes): void
  /** Marks the span as failed without an error, for example for a response with status 500. */
  fail(reason: string): void
}

/** A span that ends when its owner says so, such as that of a streamed response. */
export interface OpenSpan extends ActiveSpan {
  /** The headers that let another service continue this span; none without tracing. */
  readonly headers: Readonly<Record<string, string>>
  /** Ends the span. Later calls have no effect. */
  end(): void
}

export interface Tracing extends AsyncDisposable {
  /** Runs the function as a span, which fails when the function throws or rejects. */
  span<Result>(name: string, options: SpanOptions, run: (span: ActiveSpan) => Result): Result
  /** Whether spans are recorded, so that callers need not prepare attributes otherwise. */
  readonly enabled: boolean
  /** Starts a span that the caller must end. Unlike in `span`, it is not the active span. */
  start(name: string, options?: SpanOptions): OpenSpan
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
  /** Tells replicas apart. Default: a random one. */
  readonly instanceId?: string
  readonly log: Logger
}

/** Starts tracing if a collector is configured. Does not throw for an unreachable collector: failed exports are logged. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return disabledTracing()
  // OpenTelemetry takes longer to load than the rest of the module, so it is loaded only when used.
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing({ endpoint, ...options })
}

/** Tracing that records nothing. Does not throw. */
export function disabledTracing(): Tracing {
  const noHeaders = Object.freeze({})
  const span: OpenSpan = { traceId: undefined, headers: noHeaders, setAttributes() {}, fail() {}, end() {} }
  return {
    enabled: false,
    span: (_name, _options, run) => run(span),
    start: () => span,
    activeTraceId: () => undefined,
    activeHeaders: () => noHeaders,
    async shutdown() {},
    async [Symbol.asyncDispose]() {},
  }
}

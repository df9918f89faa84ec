import type { Logger } from './logger.ts'

export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Headers of the request that caused this work; their `traceparent` and `tracestate` are continued. */
  readonly parentHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A piece of work while it runs. */
export interface ActiveSpan {
  readonly traceId: string | undefined
  setAttributes(attributes: SpanAttributes): void
  /** Marks the work as failed where no error is thrown, as with an answer of status 500. */
  fail(reason: string): void
}

export interface Tracing extends AsyncDisposable {
  /** Runs the work as a span: it ends when the work does and has failed when the work throws or rejects. */
  span<Result>(name: string, options: SpanOptions, run: (span: ActiveSpan) => Result): Result
  activeTraceId(): string | undefined
  /** The headers that let another service continue the active trace. */
  activeHeaders(): Readonly<Record<string, string>>
  /** Sends what is left, for a few seconds at most, and never fails. */
  shutdown(): Promise<void>
}

export interface TracingOptions {
  /** Base address of the collector. Without one nothing is traced and nothing is loaded. */
  readonly endpoint: string | undefined
  readonly serviceName: string
  readonly version: string
  readonly log: Logger
}

/** Starts tracing when there is a collector to send to. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return idleTracing()
  // Loading OpenTelemetry takes longer than the rest of the room; only those who use it pay.
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing({ endpoint, ...options })
}

function idleTracing(): Tracing {
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

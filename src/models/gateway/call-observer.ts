import type { OpenSpan, SpanAttributes, Tracing } from '#kernel/telemetry'
import type { Embeddings, FinishReason, ModelCall, ModelPart, TraceHeaders } from '../providers/provider.ts'
import type { CallRecording } from '../recording/content-recorder.ts'
import type { CallRecord } from '../usage/call-record.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { CallOrigin } from './contract.ts'
import type { OperationMetrics } from './operation-metrics.ts'

/** Follows a call for traces and recorded contents. Its methods do not throw. */
export interface CallObserver {
  /** The trace of the call; undefined without tracing. */
  readonly traceId: string | undefined
  startAttempt(entry: CatalogueEntry, provider: { readonly url?: string | undefined }): AttemptObserver
  /** A part of the response arrived. */
  onPart(part: ModelPart): void
  onEmbeddings(embeddings: Embeddings): void
  /** The call ended, with its row. */
  onEnd(record: CallRecord): void
  /** The call ended without a row. Has no effect after `onEnd`. */
  onFailure(code: string): void
}

/** How an attempt ended. */
type AttemptEnd =
  | { readonly outcome: 'answered' | 'cancelled' }
  | { readonly outcome: 'failed'; readonly kind: string }

/** Follows one attempt. */
export interface AttemptObserver {
  /** The headers that let the provider continue the trace; none without tracing. */
  readonly headers: Readonly<Record<string, string>>
  onEnd(ending: AttemptEnd): void
}

/** The operation of a call, with the name of the OpenTelemetry conventions for generative AI. */
export type Operation = 'chat' | 'text_completion' | 'embeddings'

interface ObserveOptions {
  readonly tracing: Tracing
  readonly recording: CallRecording | undefined
  readonly metrics: OperationMetrics
  readonly callId: string
  readonly operation: Operation
  readonly source: string
  readonly origin?: CallOrigin | undefined
  readonly call: { readonly model: string } & Partial<Omit<ModelCall, 'original'>> & {
      readonly original?: { readonly stream: boolean } | undefined
    }
}

/**
 * Follows a call with a span, which has a child for each attempt. Token counts are on the span of the call only, so that a
 * sum over all spans counts them once.
 */
export function observeCall(options: ObserveOptions): CallObserver {
  const { tracing, recording, metrics, operation, call } = options
  const span = tracing.start(
    `${operation} ${call.model}`,
    tracing.enabled ? { attributes: requestAttributes(options) } : undefined,
  )
  let finish: FinishReason | undefined
  return {
    traceId: span.traceId,
    startAttempt: (entry, { url }) => startAttempt(options, span, entry, url),
    onPart(part) {
      if (part.type === 'end') finish = part.finish
      recording?.onPart(part)
    },
    onEmbeddings: (embeddings) => recording?.onEmbeddings(embeddings),
    onEnd(record) {
      recording?.onEnd(record)
      metrics.ended(operation, record, call.original?.stream !== false && operation !== 'embeddings')
      if (!tracing.enabled) return
      span.setAttributes(responseAttributes(record, finish))
      if (record.outcome === 'failed') span.fail(record.failureCode ?? 'failed')
      span.end()
    },
    onFailure(code) {
      span.setAttributes({ 'error.type': code })
      span.fail(code)
      span.end()
    },
  }
}

function startAttempt(
  { tracing, operation, call }: ObserveOptions,
  parent: OpenSpan,
  { provider, model }: CatalogueEntry,
  url: string | undefined,
): AttemptObserver {
  if (!tracing.enabled) return noAttempt
  const span = tracing.start(`${operation} ${model.id}`, {
    kind: provider === 'builtin' ? 'internal' : 'client',
    parent,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model.id,
      'gen_ai.request.stream': call.original?.stream,
      ...serverAttributes(url),
    },
  })
  return {
    headers: span.headers,
    onEnd(ending) {
      if (ending.outcome === 'failed') {
        span.setAttributes({ 'error.type': ending.kind })
        span.fail(ending.kind)
      }
      if (ending.outcome === 'cancelled') span.setAttributes({ 'error.type': 'cancelled' })
      span.end()
    },
  }
}

/** The headers of the trace for a provider: those of the attempt, else those that the caller sent. */
export function traceOf(
  { trace }: Pick<ModelCall, 'trace'>,
  { headers }: AttemptObserver,
): TraceHeaders | undefined {
  return headers['traceparent'] === undefined ? trace : headers
}

const noAttempt: AttemptObserver = { headers: {}, onEnd() {} }

/** For a call that another module follows with spans of its own. */
export const unobservedCall: CallObserver = {
  traceId: undefined,
  startAttempt: () => noAttempt,
  onPart() {},
  onEmbeddings() {},
  onEnd() {},
  onFailure() {},
}

function requestAttributes({ callId, operation, source, origin, call }: ObserveOptions): SpanAttributes {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.request.model': call.model,
    'gen_ai.request.max_tokens': call.maxTokens,
    'gen_ai.request.temperature': call.temperature,
    'gen_ai.request.top_p': call.topP,
    'gen_ai.request.top_k': call.topK,
    'gen_ai.request.frequency_penalty': call.frequencyPenalty,
    'gen_ai.request.presence_penalty': call.presencePenalty,
    'gen_ai.request.seed': call.seed,
    'gen_ai.request.stop_sequences': call.stop,
    'gen_ai.request.choice.count': call.choices,
    'gen_ai.request.stream': call.original?.stream,
    'gen_ai.output.type': call.format === undefined ? undefined : 'json',
    'gen_ai.conversation.id': call.session?.value,
    'tutti.call.id': callId,
    'tutti.call.source': source,
    'tutti.execution.id': origin?.executionId,
    'tutti.step.id': origin?.stepId,
  }
}

function responseAttributes(record: CallRecord, finish: FinishReason | undefined): SpanAttributes {
  return {
    'gen_ai.provider.name': record.provider,
    'gen_ai.response.model': record.model,
    'gen_ai.response.id': record.id,
    'gen_ai.usage.input_tokens': record.inputTokens ?? undefined,
    'gen_ai.usage.cache_read.input_tokens': record.cachedInputTokens ?? undefined,
    'gen_ai.usage.output_tokens': record.outputTokens ?? undefined,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'error.type': record.failureCode ?? (record.outcome === 'cancelled' ? 'cancelled' : undefined),
    'tutti.call.attempts': record.attempts,
    'tutti.call.cache_hit': record.cacheHit,
    'tutti.call.micro_dollars': record.microDollars ?? undefined,
  }
}

/** The host and the port of a provider. */
function serverAttributes(url: string | undefined): SpanAttributes {
  if (url === undefined || !URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  return {
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}

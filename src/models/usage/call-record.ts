import type { RouteStep } from './call-route.ts'

export type CallOutcome = 'answered' | 'failed' | 'cancelled' | 'lost'

/** A row of `model_calls`. */
export interface CallRecord {
  /** A version 7 UUID, created when the call started. */
  readonly id: string
  readonly accountId: string
  readonly source: string
  readonly provider: string
  readonly model: string
  /** As the caller wrote it. */
  readonly requestedModel: string
  readonly startedAt: Date
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  /** Null when the model is unpriced. */
  readonly microDollars: number | null
  readonly priceSource: string
  readonly priceVersion: string | null
  /** The provider did not report all its usage: tokens and cost are estimated. */
  readonly estimated: boolean
  /** Null when its process was lost. */
  readonly latencyMs: number | null
  readonly firstTokenMs: number | null
  readonly outcome: CallOutcome
  readonly failureCode: string | null
  readonly cacheHit: boolean
  /** Number of attempts, this one included. */
  readonly attempts: number
  /** The API key of the caller. */
  readonly keyId: string | null
  readonly tags: readonly string[]
  readonly executionId: string | null
  readonly stepId: string | null
  /** The candidates of the call and what became of them; null for a lost call and rows of earlier versions. */
  readonly route: readonly RouteStep[] | null
  /** The trace of the call; null without tracing. */
  readonly traceId: string | null
}

/** Each column of `model_calls` with its type and its property in CallRecord. */
export const callColumns = {
  id: ['uuid', 'id'],
  account_id: ['text', 'accountId'],
  source: ['text', 'source'],
  provider: ['text', 'provider'],
  model: ['text', 'model'],
  requested_model: ['text', 'requestedModel'],
  started_at: ['timestamptz', 'startedAt'],
  input_tokens: ['bigint', 'inputTokens'],
  cached_input_tokens: ['bigint', 'cachedInputTokens'],
  output_tokens: ['bigint', 'outputTokens'],
  micro_dollars: ['bigint', 'microDollars'],
  price_source: ['text', 'priceSource'],
  price_version: ['text', 'priceVersion'],
  estimated: ['boolean', 'estimated'],
  latency_ms: ['integer', 'latencyMs'],
  first_token_ms: ['integer', 'firstTokenMs'],
  outcome: ['text', 'outcome'],
  failure_code: ['text', 'failureCode'],
  cache_hit: ['boolean', 'cacheHit'],
  attempts: ['integer', 'attempts'],
  key_id: ['text', 'keyId'],
  tags: ['text[]', 'tags'],
  execution_id: ['text', 'executionId'],
  step_id: ['text', 'stepId'],
  route: ['jsonb', 'route'],
  trace_id: ['text', 'traceId'],
} as const satisfies Readonly<Record<string, readonly [type: string, field: keyof CallRecord]>>

const maxTextLength = 200

/** The row as JSON. Names come from callers and nodes, so characters that PostgreSQL cannot store are removed. */
export function describeCall(call: CallRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(callColumns).map(([column, [, field]]) => {
      const value = call[field]
      if (field === 'tags') return [column, call.tags.map(plainText)]
      return [column, typeof value === 'string' ? plainText(value) : value]
    }),
  )
}

/** A text that PostgreSQL can store and index. */
export function plainText(text: string): string {
  return text.slice(0, maxTextLength).toWellFormed().replaceAll('\0', '')
}

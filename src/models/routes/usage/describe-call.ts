import type { CallRecord } from '../../usage/call-record.ts'

/** A call in the format of the API. */
export function describeCall(call: CallRecord) {
  return {
    id: call.id,
    account: call.accountId,
    source: call.source,
    provider: call.provider,
    model: call.model,
    requested_model: call.requestedModel,
    started_at: call.startedAt.toISOString(),
    input_tokens: call.inputTokens,
    cached_input_tokens: call.cachedInputTokens,
    output_tokens: call.outputTokens,
    micro_dollars: call.microDollars ?? 0,
    unpriced: call.microDollars === null,
    price_source: call.priceSource,
    price_version: call.priceVersion,
    estimated: call.estimated,
    latency_ms: call.latencyMs,
    first_token_ms: call.firstTokenMs,
    outcome: call.outcome,
    failure_code: call.failureCode,
    cache_hit: call.cacheHit,
    attempts: call.attempts,
    key: call.keyId,
    tags: [...call.tags],
  }
}

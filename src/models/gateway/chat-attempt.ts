import type { Logger } from '#kernel/telemetry'
import { estimateInputTokens } from '../providers/count-call-tokens.ts'
import type { ModelCall, ModelPart, ModelProvider, TokenUsage } from '../providers/provider.ts'
import type { Tokenizer } from '../providers/tokenizer.ts'
import { admitAttempt, type Gatekeepers } from './admit-attempt.ts'
import { createAttempt } from './attempt.ts'
import { boundChat, type OutputLimits } from './bound.ts'
import { traceOf } from './call-observer.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Ending } from './charge.ts'
import type { CallCost, ChatRequest, ChatResponse } from './contract.ts'
import { asProviderFailure, explainFailure } from './explain-failure.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { type RelayEnd, relayResponse } from './relay.ts'
import { lookUpResponse, type ResponseCache } from './response-cache.ts'
import type { AttemptResult } from './try-candidates.ts'

export interface ChatAttemptOptions extends Gatekeepers {
  readonly request: ChatRequest
  readonly call: GatewayCall
  readonly entry: CatalogueEntry
  readonly number: number
  readonly isLast: boolean
  readonly provider: ModelProvider
  readonly cache: ResponseCache
  readonly tokenizer: Pick<Tokenizer, 'of'>
  readonly limits: OutputLimits
  readonly metrics: GatewayMetrics
  readonly log: Logger
}

/**
 * Tries one candidate for a chat call: serves the response from the cache, or takes a slot, reserves the cost and calls the provider.
 * Resolves when the first part has arrived.
 */
export async function attemptChat(options: ChatAttemptOptions): Promise<AttemptResult<ChatResponse>> {
  const { request, call, entry, number, isLast, provider, callAccounting, cache, metrics, log } = options
  const { signal } = request
  const bounds = boundChat(entry, request.call, options.limits)
  const { original } = request.call
  const isRaw = original !== undefined && provider.speaks?.(original.protocol) === true
  const modelCall: ModelCall = {
    ...request.call,
    model: entry.model.id,
    maxTokens: bounds[0]?.maxTokens ?? request.call.maxTokens,
    onBehalfOf: request.accountId,
    original: isRaw ? original : undefined,
  }
  const metadata = {
    callId: call.id,
    provider: entry.provider,
    model: entry.model.id,
    attempts: number,
    isRaw,
  }

  const { revision } = provider
  const cacheScope = revision === undefined ? entry.provider : `${entry.provider} ${revision}`
  const cached = lookUpResponse(cache, request, cacheScope, modelCall)
  if (cached.state === 'hit') {
    const cost = recordHit(options, cached.parts)
    return { response: { ...metadata, cache: 'hit', parts: replay(cached.parts), cost } }
  }
  if (cached.state === 'miss') metrics.cacheMissed()

  const admitted = await admitAttempt(options, request, call, { entry, number, bounds, isLast })
  if ('skipped' in admitted) return admitted
  const { bound, reservation, countTokens, end: endCall } = admitted
  // The reservation covers `maxTokens` for each response, so the provider must not write more than that.
  const maxTokens = bound?.maxTokens ?? modelCall.maxTokens
  // A response that a small budget cut off is not the response to later calls.
  const isStored = cached.state === 'miss' && maxTokens === modelCall.maxTokens
  const attempt = createAttempt(call, {
    entry,
    number,
    bound,
    reservation,
    countTokens,
    estimateInput: () => estimateInputTokens(options.tokenizer.of(call.accountId), request.call),
  })
  const observer = call.observer.startAttempt(entry, provider)
  const cost = Promise.withResolvers<CallCost>()
  let isClosed = false

  function onEnd(end: RelayEnd): unknown {
    isClosed = true
    endCall()
    const { ending, thrown } = explainEnd(end, entry, log)
    if (ending.outcome === 'failed') metrics.attemptFailed(entry.provider, ending.kind)
    observer.onEnd(ending)
    cost.resolve(callAccounting.close(attempt, ending))
    return thrown
  }

  try {
    const relay = relayResponse({
      source: provider.stream({ ...modelCall, maxTokens, trace: traceOf(request.call, observer) }, signal),
      signal,
      onPart(part) {
        attempt.onPart(part)
        if (isStored) cached.store(part)
      },
      onEnd,
    })
    await relay.begun
    return { response: { ...metadata, cache: cached.state, parts: relay.parts, cost: cost.promise } }
  } catch (error) {
    endCall()
    if (isClosed) {
      // The caller that cancelled finds the reservation settled.
      await cost.promise
      throw error
    }
    const failure = asProviderFailure(error, log)
    observer.onEnd({ outcome: 'failed', kind: failure.kind })
    return { attempt, failure }
  }
}

function explainEnd(
  end: RelayEnd,
  { provider, model }: CatalogueEntry,
  log: Logger,
): { readonly ending: Ending; readonly thrown?: unknown } {
  if (end.outcome === 'cancelled') return { ending: end }
  if (end.outcome === 'answered') return { ending: { outcome: 'answered', usage: end.end.usage } }
  const failure = asProviderFailure(end.thrown, log)
  const thrown = explainFailure(failure, { provider, model: model.id, begun: true })
  return { ending: { outcome: 'failed', kind: failure.kind, code: thrown.code }, thrown }
}

const noUsage: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** Records a cache hit, which is free whatever the model costs. */
async function recordHit(
  { call, entry, number, callAccounting }: ChatAttemptOptions,
  parts: readonly ModelPart[],
): Promise<CallCost> {
  const attempt = createAttempt(call, {
    entry,
    number,
    bound: undefined,
    reservation: undefined,
    estimateInput: async () => 0,
  })
  const { record } = await attempt.describe({ outcome: 'answered', usage: noUsage })
  for (const part of parts) call.observer.onPart(part)
  return await callAccounting.record(call, { ...record, microDollars: 0, cacheHit: true })
}

async function* replay(parts: readonly ModelPart[]): AsyncGenerator<ModelPart, void, void> {
  yield* parts
}

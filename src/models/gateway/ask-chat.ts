import type { Logger } from '#kernel/telemetry'
import type { ModelCall, ModelPart, ModelProvider, TokenUsage } from '../providers/provider.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Turn } from './ask-in-turn.ts'
import type { AskedCall } from './asked-call.ts'
import { createAttempt } from './attempt.ts'
import type { Books } from './books.ts'
import { boundChat } from './bound.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Ending } from './charge.ts'
import type { CallCost, ChatAnswer, ChatRequest } from './contract.ts'
import { asProviderFailure, explainFailure } from './explain-failure.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { type RelayEnd, relayAnswer } from './relay.ts'
import { lookUpAnswer } from './remembered-answer.ts'

export interface AskChatOptions {
  readonly request: ChatRequest
  readonly call: AskedCall
  readonly entry: CatalogueEntry
  readonly number: number
  readonly provider: ModelProvider
  readonly books: Books
  readonly cache: AnswerCache
  readonly calls: CallsUnderWay
  readonly metrics: GatewayMetrics
  readonly log: Logger
}

/** One model's turn at a conversation: from memory, or paid for and asked. Resolves when the first part is there. */
export async function askChat(options: AskChatOptions): Promise<Turn<ChatAnswer>> {
  const { request, call, entry, number, provider, books, cache, calls, metrics, log } = options
  const { signal } = request
  const bound = boundChat(entry, request.call)
  // What is paid for at most has to be what can come at most.
  const maxTokens = bound?.outputTokens ?? request.call.maxTokens
  const asked: ModelCall = {
    ...request.call,
    model: entry.model.id,
    maxTokens,
    onBehalfOf: request.accountId,
  }
  const answeredBy = { callId: call.id, provider: entry.provider, model: entry.model.id, attempts: number }

  const remembered = lookUpAnswer(cache, request, entry.provider, asked)
  if (remembered.state === 'hit') {
    const cost = recordHit(options)
    return { answer: { ...answeredBy, cache: 'hit', parts: replay(remembered.parts), cost } }
  }
  if (remembered.state === 'miss') metrics.cacheMissed()

  const reserved = await books.reserve(request, call, { entry, number, bound })
  if ('unasked' in reserved) return reserved
  const attempt = createAttempt(call, { entry, number, bound, reservation: reserved.reservation })
  const cost = Promise.withResolvers<CallCost>()
  const endCall = calls.begin(entry.provider)
  let told = false

  function onEnd(end: RelayEnd): unknown {
    told = true
    endCall()
    const { ending, thrown } = explainEnd(end, entry, log)
    if (ending.outcome === 'failed') metrics.attemptFailed(entry.provider, ending.kind)
    cost.resolve(books.close(attempt, ending))
    return thrown
  }

  const relay = relayAnswer({
    source: provider.stream(asked, signal),
    signal,
    onPart(part) {
      attempt.saw(part)
      if (remembered.state === 'miss') remembered.note(part)
    },
    onEnd,
  })
  try {
    await relay.begun
  } catch (error) {
    endCall()
    if (told) throw error
    return { attempt, failure: asProviderFailure(error, log) }
  }
  return { answer: { ...answeredBy, cache: remembered.state, parts: relay.parts, cost: cost.promise } }
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

const nothing: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** It cost nothing, whatever the model costs. */
function recordHit({ call, entry, number, books }: AskChatOptions): Promise<CallCost> {
  const attempt = createAttempt(call, { entry, number, bound: undefined, reservation: undefined })
  const { record } = attempt.describe({ outcome: 'answered', usage: nothing })
  return books.record({ ...record, microDollars: 0, cacheHit: true })
}

async function* replay(parts: readonly ModelPart[]): AsyncGenerator<ModelPart, void, void> {
  yield* parts
}

import { createHash } from 'node:crypto'
import type { Logger } from '#kernel/telemetry'
import type { ModelCall, ModelPart, ModelProvider, ProviderName, TokenUsage } from '../providers/provider.ts'
import type { ActiveCalls } from './active-calls.ts'
import { createAttempt } from './attempt.ts'
import { boundChat } from './bound.ts'
import type { CallAccounting } from './call-accounting.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Ending } from './charge.ts'
import type { CallCost, ChatRequest, ChatResponse } from './contract.ts'
import { asProviderFailure, explainFailure } from './explain-failure.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { type RelayEnd, relayResponse } from './relay.ts'
import { bytesOfParts, type ResponseCache } from './response-cache.ts'
import type { AttemptResult } from './try-candidates.ts'

export interface ChatAttemptOptions {
  readonly request: ChatRequest
  readonly call: GatewayCall
  readonly entry: CatalogueEntry
  readonly number: number
  readonly provider: ModelProvider
  readonly callAccounting: CallAccounting
  readonly cache: ResponseCache
  readonly calls: ActiveCalls
  readonly metrics: GatewayMetrics
  readonly log: Logger
}

/** One model's turn at a conversation: from memory, or paid for and asked. Resolves when the first part is there. */
export async function attemptChat(options: ChatAttemptOptions): Promise<AttemptResult<ChatResponse>> {
  const { request, call, entry, number, provider, callAccounting, cache, calls, metrics, log } = options
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

  const cached = lookUpResponse(cache, request, entry.provider, asked)
  if (cached.state === 'hit') {
    const cost = recordHit(options)
    return { answer: { ...answeredBy, cache: 'hit', parts: replay(cached.parts), cost } }
  }
  if (cached.state === 'miss') metrics.cacheMissed()

  const reserved = await callAccounting.reserve(request, call, { entry, number, bound })
  if ('skipped' in reserved) return reserved
  const attempt = createAttempt(call, { entry, number, bound, reservation: reserved.reservation })
  const cost = Promise.withResolvers<CallCost>()
  const endCall = calls.begin(entry.provider)
  let told = false

  function onEnd(end: RelayEnd): unknown {
    told = true
    endCall()
    const { ending, thrown } = explainEnd(end, entry, log)
    if (ending.outcome === 'failed') metrics.attemptFailed(entry.provider, ending.kind)
    cost.resolve(callAccounting.close(attempt, ending))
    return thrown
  }

  const relay = relayResponse({
    source: provider.stream(asked, signal),
    signal,
    onPart(part) {
      attempt.saw(part)
      if (cached.state === 'miss') cached.note(part)
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
  return { answer: { ...answeredBy, cache: cached.state, parts: relay.parts, cost: cost.promise } }
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
function recordHit({ call, entry, number, callAccounting }: ChatAttemptOptions): Promise<CallCost> {
  const attempt = createAttempt(call, { entry, number, bound: undefined, reservation: undefined })
  const { record } = attempt.describe({ outcome: 'answered', usage: nothing })
  return callAccounting.record({ ...record, microDollars: 0, cacheHit: true })
}

async function* replay(parts: readonly ModelPart[]): AsyncGenerator<ModelPart, void, void> {
  yield* parts
}

/** What memory has to say about a call, and what it is to remember of it. */
type CacheLookup =
  | { readonly state: 'off' }
  | { readonly state: 'hit'; readonly parts: readonly ModelPart[] }
  | { readonly state: 'miss'; readonly note: (part: ModelPart) => void }

export function lookUpResponse(
  cache: ResponseCache,
  { accountId, cache: wish }: Pick<ChatRequest, 'accountId' | 'cache'>,
  provider: ProviderName,
  call: ModelCall,
): CacheLookup {
  const key = cache.enabled && wish !== 'off' ? cacheKeyOf(accountId, provider, call) : undefined
  if (key === undefined) return { state: 'off' }
  const parts = wish === 'use' ? cache.get(key) : undefined
  if (parts !== undefined) return { state: 'hit', parts }
  return { state: 'miss', note: collectForCache(cache, key) }
}

/** Gathers an answer and remembers it when it is whole. One that grows too long is let go at once. */
function collectForCache(cache: ResponseCache, key: string): (part: ModelPart) => void {
  let gathered: ModelPart[] | undefined = []
  return (part) => {
    if (gathered === undefined) return
    if (part.type === 'end') {
      if (part.finish !== 'other') cache.put(key, [...gathered, withoutDurations(part)])
      gathered = undefined
      return
    }
    const last = gathered.at(-1)
    if (last?.type === part.type) gathered[gathered.length - 1] = { ...last, text: last.text + part.text }
    else gathered.push(part)
    if (bytesOfParts(gathered) > cache.maxResponseBytes) gathered = undefined
  }
}

/** How long a node took once is not how long an answer from memory takes. */
function withoutDurations(end: ModelPart & { readonly type: 'end' }): ModelPart {
  if (end.runtime === undefined) return end
  const kept = Object.entries(end.runtime).filter(([name]) => !name.endsWith('_duration'))
  return { ...end, runtime: Object.fromEntries(kept) }
}

/** Fields for nodes that shape the answer and do nothing else. Others load models or carry a conversation on. */
const statelessFields: ReadonlySet<string> = new Set([
  'options',
  'raw',
  'template',
  'suffix',
  'think',
  'images',
])

/** The same words always get the same answer. */
function isDeterministic(provider: ProviderName, { temperature, seed, runtime = {} }: ModelCall): boolean {
  if (provider === 'builtin') return true
  return (
    (temperature === 0 || seed !== undefined) &&
    Object.keys(runtime).every((field) => statelessFields.has(field))
  )
}

/** What a call is remembered by, or undefined when it is not to be. Nobody is answered from another account's calls. */
export function cacheKeyOf(accountId: string, provider: ProviderName, call: ModelCall): string | undefined {
  if (!isDeterministic(provider, call)) return undefined
  const canonical = JSON.stringify([accountId, provider, { ...call, session: undefined }], sortKeys)
  return createHash('sha256').update(canonical).digest('base64')
}

/** Two objects that say the same are written the same. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}

import type { Logger } from '#kernel/telemetry'
import type { EmbedCall, Embeddings, ModelProvider } from '../providers/provider.ts'
import type { Turn } from './ask-in-turn.ts'
import type { AskedCall } from './asked-call.ts'
import { createAttempt } from './attempt.ts'
import type { Books } from './books.ts'
import { boundEmbed } from './bound.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { EmbedAnswer, EmbedRequest } from './contract.ts'
import { asProviderFailure } from './explain-failure.ts'
import { saneCount } from './sane-usage.ts'

export interface AskEmbedOptions {
  readonly request: EmbedRequest
  readonly call: AskedCall
  readonly entry: CatalogueEntry
  readonly number: number
  readonly provider: ModelProvider
  readonly books: Books
  readonly calls: CallsUnderWay
  readonly log: Logger
}

/** One model's turn at making embeddings. */
export async function askEmbed(options: AskEmbedOptions): Promise<Turn<EmbedAnswer>> {
  const { request, call, entry, number, provider, books, calls, log } = options
  const bound = boundEmbed(entry, request.call)
  const reserved = await books.reserve(request, call, { entry, number, bound })
  if ('unasked' in reserved) return reserved
  const attempt = createAttempt(call, { entry, number, bound, reservation: reserved.reservation })

  const endCall = calls.begin(entry.provider)
  let embeddings: Embeddings
  try {
    const answered = await embedOrLeave(
      provider,
      { ...request.call, model: entry.model.id, onBehalfOf: request.accountId },
      request.signal,
    )
    embeddings = { ...answered, inputTokens: saneCount(answered.inputTokens) }
  } catch (error) {
    if (!request.signal.aborted) return { attempt, failure: asProviderFailure(error, log) }
    void books.close(attempt, { outcome: 'cancelled' })
    throw request.signal.reason
  } finally {
    endCall()
  }
  const usage = { inputTokens: embeddings.inputTokens, cachedInputTokens: null, outputTokens: 0 }
  const cost = await books.close(attempt, { outcome: 'answered', usage })
  return {
    answer: {
      callId: call.id,
      provider: entry.provider,
      model: entry.model.id,
      attempts: number,
      cache: 'off',
      embeddings,
      cost,
    },
  }
}

/** Nobody waits for a provider that takes its time to hear the signal. */
async function embedOrLeave(
  provider: ModelProvider,
  call: EmbedCall,
  signal: AbortSignal,
): Promise<Embeddings> {
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([provider.embed(call, signal), left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

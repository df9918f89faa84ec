import type { Purse } from '../budgets/purse.ts'
import type { EmbedCall, Embeddings, ModelCall, ModelPart, ProviderName } from '../providers/provider.ts'

/** Which others may answer when the model that was asked for cannot: nobody, anybody of the default chain, or these in their order. */
export type Fallback = 'none' | 'any' | readonly string[]

interface Asked {
  /** Whose usage it is. */
  readonly accountId: string
  readonly purse: Purse
  readonly fallback: Fallback
  readonly signal: AbortSignal
  /** What it was for: `gateway`, or the name of the capability that asks. */
  readonly source: string
}

export interface ChatRequest extends Asked {
  /** `model` as the caller wrote it: an id of the catalogue, `provider/id`, or `auto`. */
  readonly call: ModelCall
  /** `use` answers a deterministic call from memory when it can; `refresh` asks again and remembers; `off` does neither. */
  readonly cache: 'use' | 'refresh' | 'off'
  /** Names of providers, the most wanted first: of those who answer by default they are asked before the others. */
  readonly preferred?: readonly string[] | undefined
  /** Names of providers that are not asked, whatever else was said. */
  readonly avoided?: ReadonlySet<string> | undefined
}

export interface EmbedRequest extends Asked {
  readonly call: EmbedCall
}

/** Who answered, and how it came to that. */
export interface AnsweredBy {
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  /** How many were asked, this one included. */
  readonly attempts: number
  readonly cache: 'hit' | 'miss' | 'off'
}

/** What a call took, once it is over. */
export interface CallCost {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  /** Null when the model is unpriced. */
  readonly microDollars: number | null
  readonly latencyMs: number
  readonly firstTokenMs: number | null
}

export interface ChatAnswer extends AnsweredBy {
  /** As they come; ends with `end`, or throws a Failure. Leaving the loop ends the provider's work. */
  readonly parts: AsyncIterable<ModelPart>
  /** Resolves when the call is settled and recorded, however it ended. Never rejects. */
  readonly cost: Promise<CallCost>
}

export interface EmbedAnswer extends AnsweredBy {
  readonly embeddings: Embeddings
  readonly cost: CallCost
}

/** The one way to a model, whoever asks: chooses, pays, asks, falls back, remembers and records. */
export interface Gateway {
  /** Resolves when the first part is there; until then it may still be asked elsewhere. Rejects with a Failure. */
  chat(request: ChatRequest): Promise<ChatAnswer>
  embed(request: EmbedRequest): Promise<EmbedAnswer>
}

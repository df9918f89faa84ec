/** Who can answer. The order is the default chain: the cluster first, then the cloud, then what needs nothing. */
export const providerNames = ['ollama', 'openai', 'anthropic', 'builtin'] as const

export type ProviderName = (typeof providerNames)[number]

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A JSON schema, as its author wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What is asked of a model, in nobody's own words. A provider that cannot honour a field that is set refuses the call. */
export interface ModelCall {
  /** The name its provider knows it by. */
  readonly model: string
  /** `generate` completes one prompt, `chat` answers a conversation; for most providers that is the same. */
  readonly kind: 'generate' | 'chat'
  readonly messages: readonly ChatMessage[]
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly seed?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly frequencyPenalty?: number | undefined
  readonly presencePenalty?: number | undefined
  /** The answer is to be JSON; with a schema, JSON that satisfies it. */
  readonly format?: { readonly schema?: JsonSchema | undefined } | undefined
  /** The account it is for: where many wait for the same nodes, each account has its turn. */
  readonly onBehalfOf?: string | undefined
  /** Fields that only nodes of the cluster understand, passed on as they came. */
  readonly runtime?: Readonly<Record<string, unknown>> | undefined
  /** Another gateway asks: it must not be passed on to a gateway again. */
  readonly askedByGateway?: boolean | undefined
  readonly session?: CallSession | undefined
}

/** Keeps the calls of a conversation on one node, which has its beginning in memory. It does not shape the answer. */
interface CallSession {
  /** The header it came in, and is passed on in. */
  readonly header: string
  readonly value: string
}

/** What a provider counted; null where it did not say. */
export interface TokenUsage {
  readonly inputTokens: number | null
  /** Part of `inputTokens` that the provider had remembered, and charges less for. */
  readonly cachedInputTokens: number | null
  /** Part of `inputTokens` that the provider remembers from now on, and may charge more for. */
  readonly cacheWriteTokens?: number | null | undefined
  readonly outputTokens: number | null
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'other'

/** A piece of an answer. The last one is the end; an answer without an end was cut off, and its stream throws. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  /** What a reasoning model thinks aloud before it answers. */
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'end'
      readonly finish: FinishReason
      readonly usage: TokenUsage
      /** What a node of the cluster says besides, such as how long it took to load the model. */
      readonly runtime?: Readonly<Record<string, unknown>> | undefined
    }

export interface EmbedCall {
  readonly model: string
  readonly inputs: readonly string[]
  readonly dimensions?: number | undefined
  /** Another gateway asks: it must not be passed on to a gateway again. */
  readonly askedByGateway?: boolean | undefined
  readonly onBehalfOf?: string | undefined
  readonly session?: CallSession | undefined
}

export interface Embeddings {
  /** One for each input, in their order. */
  readonly vectors: readonly (readonly number[])[]
  readonly inputTokens: number | null
}

export interface ProvidedModel {
  readonly id: string
  readonly ownedBy: string
  /** Epoch seconds; null when nobody says. */
  readonly created: number | null
  readonly available: boolean
  readonly loaded: boolean
  readonly nodes: readonly string[]
  readonly size: number | null
  /** What it can do: `completion`, `embedding`, `tools`, `vision`, `thinking`, …; empty when nobody says. */
  readonly capabilities: readonly string[]
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
}

export interface ProviderProbe {
  readonly state: 'online' | 'degraded' | 'offline' | 'unconfigured'
  /** A sentence for people; null when all is well. */
  readonly problem: string | null
  /** How long the provider took to answer; null when it was not asked or did not. */
  readonly responseMs: number | null
  /** There is no doubt about it: nobody listens there, or our key is not accepted. */
  readonly isRefused?: boolean
}

/** One who answers with models. None of these throws anything but a ProviderFailure, or the reason of its signal. */
export interface ModelProvider {
  readonly name: ProviderName
  /** The models it has, remembered for a while. Never throws: one that cannot be asked has those it last told of, not available. */
  list(): Promise<readonly ProvidedModel[]>
  /** Asks whether it is there, without spending anything. Never throws. */
  probe(signal: AbortSignal): Promise<ProviderProbe>
  /** The answer as it comes. Aborting the signal, or leaving the loop, ends the provider's work. */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPart>
  embed(call: EmbedCall, signal: AbortSignal): Promise<Embeddings>
  /** How many more requests it takes for now, as its last answer said; null when it does not say. */
  rateLimitRemaining?(): number | null
}

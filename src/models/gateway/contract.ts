import type { KeyLimits } from '#kernel/http'
import type { Budget } from '../budgets/budget.ts'
import type { EmbedCall, Embeddings, ModelCall, ModelPart, ProviderName } from '../providers/provider.ts'

/** The candidates after the requested model: none, the default chain, or these models in their order. */
export type Fallback = 'none' | 'any' | readonly string[]

/** Where a call comes from, for its record. */
export interface CallOrigin {
  /** The API key of the caller. */
  readonly keyId?: string | undefined
  /** Labels of the caller, for usage reports. */
  readonly tags?: readonly string[] | undefined
  readonly executionId?: string | undefined
  readonly stepId?: string | undefined
}

interface BaseRequest {
  /** The account that the usage is recorded for. */
  readonly accountId: string
  readonly budget: Budget
  readonly fallback: Fallback
  readonly signal: AbortSignal
  /** The origin of the call: `gateway`, or the name of the module that makes it. */
  readonly source: string
  readonly origin?: CallOrigin | undefined
  /** The limits of the API key of the caller. */
  readonly limits?: KeyLimits | undefined
  /** Whether the content of the call is recorded, where the settings leave it to the request. */
  readonly recording?: 'on' | 'off' | undefined
}

export interface ChatRequest extends BaseRequest {
  /** Its `model` is as the caller wrote it: a route, an id of the catalogue, `provider/id`, or `auto`. */
  readonly call: ModelCall
  /** For deterministic calls: `use` reads and fills the response cache, `refresh` only fills it, `off` does neither. */
  readonly cache: 'use' | 'refresh' | 'off'
  /** Names of providers, the most preferred first: their models come first in the default chain. */
  readonly preferred?: readonly string[] | undefined
  /** Names of providers that are excluded, even if requested by name. */
  readonly avoided?: ReadonlySet<string> | undefined
}

export interface EmbedRequest extends BaseRequest {
  readonly call: EmbedCall
}

/** Which model handled a call, after how many attempts. */
export interface ResponseMetadata {
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  /** Number of attempts, the successful one included. */
  readonly attempts: number
  readonly cache: 'hit' | 'miss' | 'off'
  /** The route that the call named, or that `auto` stands for. */
  readonly route?: { readonly name: string; readonly version: number } | undefined
}

/** Usage, cost and duration of a finished call. */
export interface CallCost {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  /** Null when the model is unpriced. */
  readonly microDollars: number | null
  readonly latencyMs: number
  readonly firstTokenMs: number | null
}

export interface ChatResponse extends ResponseMetadata {
  /** The parts are `raw`: the provider handled the original request in the protocol of the caller. */
  readonly isRaw: boolean
  /** The parts as they arrive. The last one is `end`; iterating throws a Failure. Leaving the loop cancels the call. */
  readonly parts: AsyncIterable<ModelPart>
  /** Resolves when the call is settled and recorded, with any outcome. Never rejects. */
  readonly cost: Promise<CallCost>
}

export interface EmbedResponse extends ResponseMetadata {
  readonly embeddings: Embeddings
  readonly cost: CallCost
}

/** The only way to a model: selects candidates, enforces the budget, falls back, caches responses and records calls. */
export interface Gateway {
  /**
   * Resolves when the first part has arrived; until then the gateway may fall back to another candidate. Throws a Failure:
   * `model_not_found`, `model_not_allowed`, `unsupported`, `budget_used_up`, `model_limit_reached`, `invalid_input` or one of
   * the `provider_…` codes.
   */
  chat(request: ChatRequest): Promise<ChatResponse>
  /** Throws a Failure with the same codes. */
  embed(request: EmbedRequest): Promise<EmbedResponse>
}

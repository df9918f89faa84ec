import type { JsonSchema, NativeCall, TokenUsage, ResponsePart as TranslatedPart } from '#kernel/native-api'
import type { EmbedProtocol, Protocol } from './protocols.ts'

export {
  type ChatMessage,
  type Content,
  type ContentPart,
  type FinishReason,
  type JsonSchema,
  type ResponsePart as TranslatedPart,
  reasoningEfforts,
  type Thinking,
  type TokenUsage,
  type Tool,
  type ToolCall,
} from '#kernel/native-api'

/** The name of a provider: `ollama` (the cluster), `openai`, `anthropic`, `gemini`, `builtin`, or one that an operator added. */
export type ProviderName = string

/** Whether a model may, must or must not call a tool, or must call the named one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A call in a format independent of providers. A provider refuses a call with an option that it does not support. */
export interface ModelCall extends NativeCall {
  readonly toolChoice?: ToolChoice | undefined
  /** Whether the model may request several tool calls at once. Default: the provider's. */
  readonly parallelToolCalls?: boolean | undefined
  /** The number of responses, which only providers with the protocol of the request generate. Default 1. */
  readonly choices?: number | undefined
  /** The account of the call, by which the cluster shares its nodes fairly. */
  readonly onBehalfOf?: string | undefined
  /** The call came from another gateway and must not be forwarded to a gateway again. */
  readonly askedByGateway?: boolean | undefined
  readonly session?: CallSession | undefined
  readonly original?: OriginalRequest | undefined
  /** The headers of the trace, for the request to the provider. */
  readonly trace?: TraceHeaders | undefined
}

/** `traceparent` and `tracestate`. */
export type TraceHeaders = Readonly<Record<string, string>>

/** The request as the caller wrote it, for a provider with the same protocol. */
export interface OriginalRequest<Kind = Protocol> {
  readonly protocol: Kind
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** Request headers of the protocol that are passed on. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Fields that only a provider with this protocol gets: the call in a format independent of providers lacks them. */
  readonly nativeFields: readonly NativeField[]
}

/** The path of a field that only providers with the protocol of a request get, or of a field with a value that only they know. */
export type NativeField = string | { readonly path: string; readonly value: string }

/** Keeps the calls of a conversation on one node, which has the start of the conversation in memory. */
interface CallSession {
  /** The header of the session id, in which it is also forwarded. */
  readonly header: string
  readonly value: string
}

/** A part of a response. The last part is `end`; the stream of a response without it throws. */
export type ModelPart =
  | TranslatedPart
  /** A piece of a response in the protocol of the caller, passed on unchanged. */
  | {
      readonly type: 'raw'
      readonly bytes: Buffer
      readonly outputBytes: number
      /** The usage that the provider has reported so far. */
      readonly usage?: TokenUsage | undefined
    }

export interface EmbedCall {
  readonly model: string
  /** Empty when the caller sent `tokens`. */
  readonly inputs: readonly string[]
  /** The inputs as tokens (cl100k). Only a provider with the protocol of the request gets them; for others they are decoded. */
  readonly tokens?: readonly (readonly number[])[] | undefined
  readonly dimensions?: number | undefined
  /** The call came from another gateway and must not be forwarded to a gateway again. */
  readonly askedByGateway?: boolean | undefined
  readonly onBehalfOf?: string | undefined
  readonly session?: CallSession | undefined
  readonly original?: OriginalRequest<EmbedProtocol> | undefined
  /** The headers of the trace, for the request to the provider. */
  readonly trace?: TraceHeaders | undefined
}

export interface Embeddings {
  /** One for each input, in their order; empty when there is a `raw` response. */
  readonly vectors: readonly (readonly number[])[]
  readonly inputTokens: number | null
  /** The response of the provider to an `original` request, in the protocol of the caller. */
  readonly raw?: Buffer | undefined
}

export interface ProvidedModel {
  readonly id: string
  readonly ownedBy: string
  /** Unix time in seconds; null when unknown. */
  readonly created: number | null
  readonly available: boolean
  readonly loaded: boolean
  readonly nodes: readonly string[]
  readonly size: number | null
  /** `completion`, `embedding`, `tools`, `vision`, `thinking`, …; empty when unknown. */
  readonly capabilities: readonly string[]
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
}

export interface ProviderProbe {
  readonly state: 'online' | 'degraded' | 'offline' | 'unconfigured'
  /** A description of the problem; null when there is none. */
  readonly problem: string | null
  /** The response time; null without a response. */
  readonly responseMs: number | null
  /** The result is certain: the connection was refused, or the API key is not accepted. */
  readonly isRefused?: boolean
}

/** A provider of models. Its methods throw only a ProviderFailure or the reason of the signal. */
export interface ModelProvider {
  readonly name: ProviderName
  /** The address of the provider, for traces. */
  readonly url?: string | undefined
  /** Identifies the settings of the provider where they can change: responses of earlier settings are not reused. */
  readonly revision?: string | undefined
  /** The models of the provider, cached. Never throws: an unreachable provider has its last known models, marked unavailable. */
  list(): Promise<readonly ProvidedModel[]>
  /** Whether an operator has set the provider up, reachable or not. Never throws. Default: it is. */
  isConfigured?(): Promise<boolean>
  /** Checks the provider without cost. Never throws. */
  probe(signal: AbortSignal): Promise<ProviderProbe>
  /** Whether the provider handles requests of this protocol itself: `stream` then yields `raw` parts for an `original` request. */
  speaks?(protocol: Protocol | EmbedProtocol): boolean
  /** The response in parts. Aborting the signal, or leaving the loop, cancels the request. */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPart>
  embed(call: EmbedCall, signal: AbortSignal): Promise<Embeddings>
  /** Counts the input tokens of an Anthropic request without cost. The response has all fields of the provider. */
  countTokens?(
    request: Pick<OriginalRequest, 'body' | 'headers'> & { readonly model: string },
    signal: AbortSignal,
  ): Promise<{ readonly input_tokens: number }>
  /** Remaining requests of its rate limit, from its last response; null when unknown. */
  rateLimitRemaining?(): number | null
  /** The model runtime behind the provider; undefined when it is something else. */
  readonly runtime?: RuntimeDirectory
}

/** The models of a runtime, as the runtime itself describes them. */
export interface RuntimeDirectory {
  /** The entries of its list of models, or of its list of loaded models. Never throws: empty when it cannot be reached. */
  list(kind: 'tags' | 'ps'): Promise<readonly (JsonSchema & { readonly name: string })[]>
  /** The description of a model. */
  show(request: JsonSchema & { readonly model: string }, signal: AbortSignal): Promise<Buffer>
}

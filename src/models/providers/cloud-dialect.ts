import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Dispatcher } from 'undici'
import type { EmbedProtocol, Protocol } from './protocols.ts'
import type {
  EmbedCall,
  Embeddings,
  ModelCall,
  OriginalRequest,
  ProvidedModel,
  ProviderName,
} from './provider.ts'
import type { WireNames } from './unsupported-options.ts'

/** The options of an SDK client. */
export interface SdkAddress {
  readonly baseURL: string
  readonly apiKey: string
  readonly headers: Record<string, string>
  readonly fetch: typeof fetch
}

/** Where to fetch the model list. */
export interface ListAddress {
  readonly name: ProviderName
  readonly label: string
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly key: string | undefined
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal | undefined
}

export interface EmbedOptions {
  readonly label: string
  readonly signal: AbortSignal
}

/** A request in the protocol of the provider. */
export interface ForwardedRequest {
  /** The path after the base URL. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** The usage was requested for the gateway: the caller does not get it. */
  readonly hideUsage?: boolean
}

/** Converts an original request: the model and the token limit are those of the call, other fields stay as they are. */
export type ForwardRule = (call: ModelCall, original: OriginalRequest, isOwnUrl: boolean) => ForwardedRequest

/** The differences between cloud providers. */
export interface CloudDialect {
  readonly name: 'openai' | 'anthropic' | 'gemini'
  /** The name for failure messages. */
  readonly label: string
  /** The address of the provider itself, which requires an API key. */
  readonly ownUrl: string
  readonly variables: { readonly key: string; readonly models: string }
  /** The header with the API key. */
  readonly keyHeader: string
  /** The response header with the remaining requests of the rate limit. */
  readonly rateHeader: string
  readonly wireNames: WireNames
  /** The part of a body with the sampling options; default: the body. */
  samplingOf?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** The protocols of the provider, each with the request that is sent for an original one. */
  readonly forwards: Readonly<Partial<Record<Protocol, ForwardRule>>>
  /** The protocols that compatible servers at other addresses may lack. */
  readonly ownUrlProtocols?: readonly Protocol[]
  /** The request that is sent for an original one for embeddings; undefined when the provider has another protocol. */
  readonly forwardEmbed?: (call: EmbedCall, original: OriginalRequest<EmbedProtocol>) => ForwardedRequest
  /** The path that counts the tokens of a request; undefined when the provider has none. */
  readonly countTokensPath?: string
  /** The headers of every request. */
  headersOf(key: string | undefined): Readonly<Record<string, string>>
  openModel(address: SdkAddress, model: string): Promise<LanguageModelV4>
  /** The call in terms that the provider has. */
  adaptCall?(call: ModelCall): ModelCall
  /** Further options of the SDK call; throws a ProviderFailure when the call is not supported. */
  sdkOptions(call: ModelCall, label: string): Partial<LanguageModelV4CallOptions>
  /** Corrects the body that the SDK wrote for a call. */
  adjustBody?(call: ModelCall, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  readonly readThinking: (raw: unknown) => string | undefined
  /** Undefined when the server has no model list. */
  list(address: ListAddress): Promise<readonly ProvidedModel[] | undefined>
  embed(call: EmbedCall, address: SdkAddress, options: EmbedOptions): Promise<Embeddings>
}

/** A part of a user message or a tool result. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      /** An http(s) URL, or a data URL with the image. */
      readonly url: string
      readonly detail?: 'auto' | 'low' | 'high' | undefined
    }
  /** `data` is base64; `format` is `wav`, `mp3`, … */
  | { readonly type: 'audio'; readonly data: string; readonly format: string }
  /** A document as a data URL, such as a PDF. */
  | { readonly type: 'file'; readonly url: string; readonly filename?: string | undefined }

/** The content of a message: a text, or parts. */
export type Content = string | readonly ContentPart[]

/** A call of a tool that a model requested. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. It may be invalid. */
  readonly arguments: string
}

/** The reasoning of a model, which it may need again in the next turn. */
export interface Thinking {
  readonly text: string
  /** Proves to the provider that it wrote the text. */
  readonly signature?: string | undefined
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string; readonly name?: string | undefined }
  | { readonly role: 'user'; readonly content: Content; readonly name?: string | undefined }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly name?: string | undefined
      readonly thinking?: readonly Thinking[] | undefined
      readonly toolCalls?: readonly ToolCall[] | undefined
    }
  | {
      readonly role: 'tool'
      readonly content: Content
      readonly toolCallId: string
      readonly isError?: boolean | undefined
    }

/** A JSON schema as its author wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A function that a model may request to be called. */
export interface Tool {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: JsonSchema
  readonly strict?: boolean | undefined
}

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** A request of the native API in a form that can be written in other protocols. */
export interface NativeCall {
  readonly model: string
  /** `generate` completes one prompt, `chat` continues a conversation. */
  readonly kind: 'generate' | 'chat'
  readonly messages: readonly ChatMessage[]
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly minP?: number | undefined
  readonly seed?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly frequencyPenalty?: number | undefined
  readonly presencePenalty?: number | undefined
  /** Requests JSON output; with a schema, JSON that satisfies it. */
  readonly format?: { readonly schema?: JsonSchema | undefined } | undefined
  readonly tools?: readonly Tool[] | undefined
  readonly reasoningEffort?: (typeof reasoningEfforts)[number] | undefined
  /** Fields without a counterpart in other protocols, as the caller wrote them. */
  readonly runtime?: Readonly<Record<string, unknown>> | undefined
}

/** The usage that a server reports; null where it reports nothing. */
export interface TokenUsage {
  readonly inputTokens: number | null
  /** The part of `inputTokens` that was read from the cache of the provider, at a lower price. */
  readonly cachedInputTokens: number | null
  /** The part of `inputTokens` that was written to the cache of the provider, perhaps at a higher price. */
  readonly cacheWriteTokens?: number | null | undefined
  readonly outputTokens: number | null
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

/** A part of a response, independent of protocols. The last part is `end`. */
export type ResponsePart =
  | { readonly type: 'text'; readonly text: string }
  /** The reasoning of a model before its response. */
  | { readonly type: 'thinking'; readonly text: string }
  /** The end of a block of reasoning, with the signature of its text. */
  | { readonly type: 'thinking_end'; readonly signature: string }
  /** The start of a tool call. The calls of a response are numbered from 0. */
  | { readonly type: 'tool_call'; readonly index: number; readonly id: string; readonly name: string }
  /** A piece of the arguments of a tool call, which are JSON. */
  | { readonly type: 'tool_arguments'; readonly index: number; readonly text: string }
  | {
      readonly type: 'end'
      readonly finish: FinishReason
      readonly usage: TokenUsage
      /** Further fields of a node of the cluster, such as the time to load the model. */
      readonly runtime?: Readonly<Record<string, unknown>> | undefined
    }

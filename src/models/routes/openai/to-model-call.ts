import { kernelFailure } from '#kernel/errors'
import type { ChatMessage, EmbedCall, JsonSchema, ModelCall } from '../../providers/provider.ts'
import type { ChatRequestBody } from './chat-request.ts'
import type { CompletionRequestBody } from './completion-request.ts'
import type { EmbeddingRequestBody } from './embedding-request.ts'

/** Converts the body of `/v1/chat/completions`. Throws `invalid_input` for contradictory fields. */
export function chatCall(body: ChatRequestBody): ModelCall {
  const { model, messages, max_tokens, max_completion_tokens, response_format } = body
  if (max_tokens !== undefined && max_completion_tokens !== undefined) {
    throw invalid('max_tokens', 'and max_completion_tokens are the same; send one of them')
  }
  return {
    model,
    kind: 'chat',
    messages: messages.map(toMessage),
    ...samplingOf(body),
    maxTokens: max_completion_tokens ?? max_tokens,
    ...formatOf(response_format),
  }
}

/** Converts the body of `/v1/completions`. Throws `invalid_input` for contradictory fields. */
export function completionCall(body: CompletionRequestBody): ModelCall {
  const { model, prompt, suffix, max_tokens } = body
  return {
    model,
    kind: 'generate',
    messages: [{ role: 'user', content: prompt }],
    ...samplingOf(body),
    maxTokens: max_tokens,
    ...(suffix !== undefined && { runtime: { suffix } }),
  }
}

export function embeddingCall({ model, input, dimensions }: EmbeddingRequestBody): EmbedCall {
  return { model, inputs: [input].flat(), dimensions }
}

/** The schema that output without streaming must satisfy; undefined without a strict schema. */
export function strictSchemaOf(body: ChatRequestBody, call: ModelCall): JsonSchema | undefined {
  return body.response_format?.json_schema?.strict === false ? undefined : call.format?.schema
}

type SampledRequestBody = Pick<
  CompletionRequestBody,
  | 'temperature'
  | 'top_p'
  | 'seed'
  | 'stop'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'stream'
  | 'stream_options'
>

function samplingOf(body: SampledRequestBody): Partial<ModelCall> {
  const { temperature, top_p, seed, stop, presence_penalty, frequency_penalty } = body
  if (body.stream_options !== undefined && body.stream !== true) {
    throw invalid('stream_options', 'needs "stream": true')
  }
  return {
    temperature,
    topP: top_p,
    seed,
    stop: stop === undefined ? undefined : [stop].flat(),
    presencePenalty: presence_penalty,
    frequencyPenalty: frequency_penalty,
  }
}

function toMessage({ role, content }: ChatRequestBody['messages'][number]): ChatMessage {
  return {
    role: role === 'developer' ? 'system' : role,
    content: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  }
}

function formatOf(format: ChatRequestBody['response_format']): Pick<ModelCall, 'format'> {
  const path = 'response_format.json_schema'
  if (format?.type !== 'json_schema') {
    if (format?.json_schema !== undefined) throw invalid(path, 'needs the type json_schema')
    return format?.type === 'json_object' ? { format: {} } : {}
  }
  if (format.json_schema === undefined) throw invalid(path, 'is required', 'required')
  const { name, description, schema } = format.json_schema
  if (schema === undefined) return { format: {} }
  // The model reads name and description, unless the schema has a title and a description itself.
  return { format: { schema: { title: name, ...(description !== undefined && { description }), ...schema } } }
}

function invalid(path: string, message: string, code = 'contradiction') {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
    details: { part: 'body' },
  })
}

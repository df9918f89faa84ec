import { kernelFailure } from '#kernel/errors'
import type { ChatMessage, EmbedCall, JsonSchema, ModelCall } from '../../providers/provider.ts'
import type { ChatBody } from './chat-body.ts'
import type { CompletionBody } from './completion-body.ts'
import type { EmbeddingBody } from './embedding-body.ts'

/** A body of `/v1/chat/completions` as a call. */
export function chatCall(body: ChatBody): ModelCall {
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

/** A body of `/v1/completions` as a call. */
export function completionCall(body: CompletionBody): ModelCall {
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

export function embeddingCall({ model, input, dimensions }: EmbeddingBody): EmbedCall {
  return { model, inputs: [input].flat(), dimensions }
}

/** The schema an answer in one piece is held to; undefined when it is held to none. */
export function strictSchemaOf(body: ChatBody, call: ModelCall): JsonSchema | undefined {
  return body.response_format?.json_schema?.strict === false ? undefined : call.format?.schema
}

type SampledBody = Pick<
  CompletionBody,
  | 'temperature'
  | 'top_p'
  | 'seed'
  | 'stop'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'stream'
  | 'stream_options'
>

function samplingOf(body: SampledBody): Partial<ModelCall> {
  const { temperature, top_p, seed, stop, presence_penalty, frequency_penalty } = body
  if (body.stream_options !== undefined && body.stream !== true) {
    throw invalid('stream_options', 'is for streams; send "stream": true with it')
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

function toMessage({ role, content }: ChatBody['messages'][number]): ChatMessage {
  return {
    role: role === 'developer' ? 'system' : role,
    content: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  }
}

function formatOf(wanted: ChatBody['response_format']): Pick<ModelCall, 'format'> {
  const place = 'response_format.json_schema'
  if (wanted?.type !== 'json_schema') {
    if (wanted?.json_schema !== undefined) throw invalid(place, 'is for the type json_schema')
    return wanted?.type === 'json_object' ? { format: {} } : {}
  }
  if (wanted.json_schema === undefined) throw invalid(place, 'is required', 'required')
  const { name, description, schema } = wanted.json_schema
  if (schema === undefined) return { format: {} }
  // What the schema is called and about is for the model to read, where the schema does not say so itself.
  return { format: { schema: { title: name, ...(description !== undefined && { description }), ...schema } } }
}

function invalid(path: string, message: string, code = 'contradiction') {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
    details: { part: 'body' },
  })
}

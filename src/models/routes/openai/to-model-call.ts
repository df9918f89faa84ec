import { kernelFailure } from '#kernel/errors'
import type {
  ChatMessage,
  Content,
  ContentPart,
  EmbedCall,
  JsonSchema,
  ModelCall,
  ToolCall,
} from '../../providers/provider.ts'
import {
  type ChatRequestBody,
  type ContentPartBody,
  type FunctionCall,
  isDescribedPart,
  isFunction,
} from './chat-request.ts'
import type { CompletionRequestBody } from './completion-request.ts'
import { type EmbeddingRequestBody, embeddingRequestSchema } from './embedding-request.ts'
import { unknownFields } from './request-fields.ts'

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
    ...toolsOf(body),
    maxTokens: max_completion_tokens ?? max_tokens,
    reasoningEffort: body.reasoning_effort,
    topK: body.top_k,
    minP: body.min_p,
    choices: choicesOf(body),
    ...formatOf(response_format),
  }
}

/** Converts the body of `/v1/completions`. Throws `invalid_input` for contradictory fields. */
export function completionCall(body: CompletionRequestBody): ModelCall {
  const { model, prompt, suffix, max_tokens } = body
  const prompts = [prompt].flat()
  const [only] = prompts
  return {
    model,
    kind: 'generate',
    // Several prompts, and prompts in tokens, are passed on as they are; their text only has to be long enough for the budget.
    messages: [
      {
        role: 'user',
        content: prompts.length === 1 && typeof only === 'string' ? only : JSON.stringify(prompt),
      },
    ],
    ...samplingOf(body),
    maxTokens: max_tokens,
    choices: (choicesOf(body) ?? 1) * promptCountOf(prompt),
    ...(suffix !== undefined && { runtime: { suffix } }),
  }
}

/** The number of prompts: a list of numbers is one prompt in tokens. */
function promptCountOf(prompt: CompletionRequestBody['prompt']): number {
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
}

const maxChoices = 128

/** `n`, which is not part of the schema because only some providers support it. Throws `invalid_input` for another value. */
function choicesOf(body: object): number | undefined {
  const values = ['n', 'best_of'].flatMap((name) => {
    const value: unknown = Reflect.get(body, name)
    if (value === undefined) return []
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxChoices)
      return value
    throw invalid(name, `must be an integer from 1 to ${maxChoices}`, 'invalid')
  })
  return values.length === 0 ? undefined : Math.max(...values)
}

/** Converts the body of `/v1/embeddings`. */
export function embeddingCall(body: EmbeddingRequestBody): EmbedCall {
  const { model, input, dimensions } = body
  const nativeFields = unknownFields(body, embeddingRequestSchema.properties)
  return {
    model,
    ...inputsOf(input),
    dimensions,
    original: { protocol: 'openai.embeddings', body, stream: false, nativeFields },
  }
}

/** A list of numbers is one input in tokens. */
function inputsOf(input: EmbeddingRequestBody['input']): Pick<EmbedCall, 'inputs' | 'tokens'> {
  if (typeof input === 'string') return { inputs: [input] }
  if (isListOf(input, 'string')) return { inputs: input }
  return { inputs: [], tokens: isListOf(input, 'number') ? [input] : input }
}

function isListOf<Name extends 'string' | 'number'>(
  list: readonly unknown[],
  name: Name,
): list is Name extends 'string' ? string[] : number[] {
  return typeof list[0] === name
}

/** The schema that output without streaming must satisfy; undefined without a strict schema. */
export function strictSchemaOf(body: ChatRequestBody, call: ModelCall): JsonSchema | undefined {
  // With tools a response may be a tool call instead, so the provider alone checks the schema.
  if (call.tools !== undefined) return undefined
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

type MessageBody = ChatRequestBody['messages'][number]

/** Converts a message. Throws `invalid_input` for fields that do not fit its role. */
function toMessage(message: MessageBody, index: number): ChatMessage {
  const path = `messages[${index}]`
  const { role, content, name, tool_calls: toolCalls = [], tool_call_id: toolCallId, refusal } = message
  if (role !== 'assistant' && toolCalls.length > 0) {
    throw invalid(`${path}.tool_calls`, 'belongs to messages of the role assistant')
  }
  if (role !== 'tool' && toolCallId !== undefined) {
    throw invalid(`${path}.tool_call_id`, 'belongs to messages of the role tool')
  }
  if (content === undefined && (role !== 'assistant' || (toolCalls.length === 0 && refusal === undefined))) {
    throw invalid(`${path}.content`, 'is required', 'required')
  }
  switch (role) {
    case 'assistant':
      return {
        role,
        content: textContentOf(content ?? refusal ?? '', path),
        ...(name !== undefined && { name }),
        ...(toolCalls.length > 0 && { toolCalls: toolCalls.filter(isFunction).map(toToolCall) }),
      }
    case 'tool':
      if (toolCallId === undefined) throw invalid(`${path}.tool_call_id`, 'is required', 'required')
      return { role, toolCallId, content: contentOf(content ?? '', path) }
    case 'user':
      return { role, content: contentOf(content ?? '', path), ...(name !== undefined && { name }) }
    default:
      return {
        role: 'system',
        content: textContentOf(content ?? '', path),
        ...(name !== undefined && { name }),
      }
  }
}

type ContentBody = NonNullable<MessageBody['content']>

function toToolCall({ id, function: { name, arguments: text } }: FunctionCall): ToolCall {
  return { id, name, arguments: text }
}

/** The text of a message that may have nothing else. */
function textContentOf(content: ContentBody, path: string): string {
  if (typeof content === 'string') return content
  return content
    .filter(isDescribedPart)
    .map((part, index) => {
      if (part.type === 'text') return part.text
      if (part.type === 'refusal') return part.refusal
      throw invalid(
        `${path}.content[${index}].type`,
        'must be text: only user messages and tool results have media',
      )
    })
    .join('\n')
}

function contentOf(content: ContentBody, path: string): Content {
  if (typeof content === 'string') return content
  const parts = content.flatMap((part, index) =>
    isDescribedPart(part) ? toPart(part, `${path}.content[${index}]`) : [],
  )
  // A text is the common case, which every provider and the cache handle fastest.
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts
}

function toPart(part: ContentPartBody, path: string): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image_url':
      requireUrl(part.image_url.url, `${path}.image_url.url`)
      return { type: 'image', url: part.image_url.url, detail: detailOf(part.image_url.detail) }
    case 'input_audio':
      return { type: 'audio', data: part.input_audio.data, format: part.input_audio.format }
    case 'file':
      return { type: 'file', url: fileUrlOf(part.file, path), filename: part.file.filename }
    default:
      throw invalid(`${path}.type`, 'refusal belongs to messages of the role assistant')
  }
}

/** The data of a file; empty for a file that is uploaded at its provider, which only that provider gets. */
function fileUrlOf(file: { readonly file_data?: string }, path: string): string {
  const { file_data: url } = file
  if (url !== undefined) requireUrl(url, `${path}.file.file_data`)
  else if (!('file_id' in file)) throw invalid(`${path}.file.file_data`, 'is required', 'required')
  return url ?? ''
}

function requireUrl(url: string, path: string): void {
  if (!url.startsWith('data:') && !URL.canParse(url)) throw invalid(path, 'is no valid URL', 'invalid')
}

function detailOf(detail: string | undefined): 'auto' | 'low' | 'high' | undefined {
  return detail === 'auto' || detail === 'low' || detail === 'high' ? detail : undefined
}

function toolsOf({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: ChatRequestBody): Partial<ModelCall> {
  if (tools === undefined || tools.length === 0) {
    if (typeof choice === 'object' || choice === 'required') throw invalid('tool_choice', 'needs tools')
    return {}
  }
  const functions = tools.filter(isFunction)
  const chosen = typeof choice === 'object' ? (isFunction(choice) ? choice.function : undefined) : choice
  if (typeof chosen === 'object' && !functions.some((tool) => tool.function.name === chosen.name)) {
    throw invalid('tool_choice.function.name', 'is no name of a tool')
  }
  return {
    tools: functions.map(({ function: { name, description, parameters, strict } }) => ({
      name,
      description,
      parameters: parameters ?? { type: 'object', properties: {} },
      strict,
    })),
    toolChoice: typeof chosen === 'object' ? { name: chosen.name } : chosen,
    parallelToolCalls: parallel,
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
  })
}

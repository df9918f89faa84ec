import { Type } from 'typebox'
import { Failure, kernelFailure } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import {
  type ChatBody,
  type ChatMessage,
  type Content,
  chatFields,
  cleanEmbedFields,
  cleanTextFields,
  type EmbedBody,
  type EmbeddingsBody,
  embeddingsFields,
  embedFields,
  type GenerateBody,
  generateFields,
  type NativeCall,
  readChat,
  readGenerate,
  runtimeFieldsOf,
} from '#kernel/native-api'
import { type RuntimeName, runtimeTraits } from '../nodes/runtime.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request of the native API for a node that has the OpenAI-compatible API. */
export type CompatibleRequest =
  | {
      readonly kind: 'text'
      readonly call: NativeCall
      readonly stream: boolean
      readonly path: string
      readonly body: Fields
      /** Options that the runtime of the node does not have. */
      readonly ignored: readonly string[]
    }
  | { readonly kind: 'embed' | 'embeddings'; readonly path: string; readonly body: Fields }

interface NodeModelName {
  readonly runtime: RuntimeName
  /** The model as the node lists it. */
  readonly model: string
}

const model = Type.String()
const checks = {
  '/api/generate': createValueCheck(
    Type.Object({ model, ...generateFields }, { additionalProperties: true }),
  ),
  '/api/chat': createValueCheck(Type.Object({ model, ...chatFields }, { additionalProperties: true })),
  '/api/embed': createValueCheck(Type.Object({ model, ...embedFields }, { additionalProperties: true })),
  '/api/embeddings': createValueCheck(
    Type.Object({ model, ...embeddingsFields }, { additionalProperties: true }),
  ),
}

/** A path of the native API that is translated. */
export type TranslatedPath = keyof typeof checks

export function isTranslated(path: string): path is TranslatedPath {
  return Object.hasOwn(checks, path)
}

/** Reads a text request of the native API. Throws `invalid_input` for an invalid body. */
export function readTextCall(path: '/api/generate' | '/api/chat', fields: Fields): NativeCall {
  const body = requireValid(path, cleanTextFields(withModel(fields)))
  return path === '/api/chat' ? readChat(body as ChatBody) : readGenerate(body as GenerateBody)
}

/** Translates a request. Throws `invalid_input` for an invalid body, and for fields that only the native API has. */
export function translateRequest(
  path: TranslatedPath,
  fields: Fields,
  { runtime, model: name }: NodeModelName,
): CompatibleRequest {
  if (path === '/api/embed' || path === '/api/embeddings') {
    const body = requireValid(path, cleanEmbedFields(withModel(fields)))
    const { input, dimensions } =
      path === '/api/embed'
        ? (body as EmbedBody)
        : { input: (body as EmbeddingsBody).prompt, dimensions: undefined }
    return {
      kind: path === '/api/embed' ? 'embed' : 'embeddings',
      path: '/v1/embeddings',
      body: { model: name, input, ...(dimensions !== undefined && { dimensions }) },
    }
  }
  const call = readTextCall(path, fields)
  refuseNativeFields(call)
  const stream = fields['stream'] !== false
  const { raw, suffix, ...others } = call.runtime ?? {}
  const isPlain = call.kind === 'generate' && (raw === true || suffix !== undefined)
  const sampling = samplingOf(call, runtime)
  return {
    kind: 'text',
    call,
    stream,
    path: isPlain ? '/v1/completions' : '/v1/chat/completions',
    body: {
      model: name,
      ...(isPlain
        ? { prompt: promptOf(call), ...(suffix !== undefined && { suffix }) }
        : { messages: call.messages.map(messageOf), ...chatSettingsOf(call, runtime) }),
      ...sampling.fields,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
    },
    ignored: [...sampling.ignored, ...runtimeFieldsOf({ ...others, options: sampling.rest })],
  }
}

/** Fields whose effect the OpenAI-compatible API does not have. */
const nativeFields = ['template', 'context', 'logprobs', 'top_logprobs'] as const

/** Whether a node with the native API should get the request, if there is one. */
export function prefersNative(path: string, fields: Fields): boolean {
  if (path === '/api/show') return true
  if (nativeFields.some((name) => isGiven(fields[name]))) return true
  // A request without a prompt loads the model, which other runtimes do by their configuration.
  if (path === '/api/chat') return !Array.isArray(fields['messages']) || fields['messages'].length === 0
  return path === '/api/generate' && !isGiven(fields['prompt']) && !isGiven(fields['images'])
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 0
}

function refuseNativeFields({ runtime = {} }: NativeCall): void {
  const field = nativeFields.find((name) => isGiven(runtime[name]))
  if (field === undefined) return
  throw kernelFailure('invalid_input', {
    message: `${field} needs a node with the native API, and no such node is available for this model; leave it out`,
  })
}

/** Older clients call it `name`. */
function withModel(fields: Fields): Fields {
  return { ...fields, model: fields['model'] ?? fields['name'] }
}

function requireValid(path: TranslatedPath, fields: Fields): Fields {
  const [problem] = checks[path](fields)
  if (problem === undefined) return fields
  throw kernelFailure('invalid_input', { message: `${problem.path} ${problem.message}` })
}

function messageOf(message: ChatMessage): Fields {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: contentOf(message.content) }
    case 'tool':
      return { role: 'tool', content: contentOf(message.content), tool_call_id: message.toolCallId }
    default: {
      const { content, thinking = [], toolCalls = [] } = message
      return {
        role: 'assistant',
        content: content === '' && toolCalls.length > 0 ? null : content,
        ...(thinking.length > 0 && { reasoning_content: thinking.map(({ text }) => text).join('\n\n') }),
        ...(toolCalls.length > 0 && {
          tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
            id,
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
      }
    }
  }
}

function contentOf(content: Content): unknown {
  if (typeof content === 'string') return content
  return content.flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'image' ? [{ type: 'image_url', image_url: { url: part.url } }] : []
  })
}

/** The prompt without the template of a chat. */
function promptOf({ messages }: NativeCall): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n\n')
}

function chatSettingsOf(
  { messages, tools, format, reasoningEffort }: NativeCall,
  runtime: RuntimeName,
): Fields {
  const traits = runtimeTraits[runtime]
  const last = messages.at(-1)
  const hasBegun = last?.role === 'assistant' && last.content !== '' && last.toolCalls === undefined
  return {
    ...(tools !== undefined && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, ...(description !== undefined && { description }), parameters },
      })),
    }),
    ...(format !== undefined && { response_format: responseFormatOf(format.schema, traits.json) }),
    ...thinkingOf(reasoningEffort, traits.templateOptions),
    // The native API continues an answer that the caller has begun.
    ...(hasBegun &&
      traits.continuesMessages && { add_generation_prompt: false, continue_final_message: true }),
  }
}

const anyObject = { type: 'object' }

function responseFormatOf(schema: Fields | undefined, json: 'object' | 'schema' | 'value'): Fields {
  if (json === 'value') return { type: 'json_object', value: schema ?? anyObject }
  if (schema === undefined && json === 'object') return { type: 'json_object' }
  return {
    type: 'json_schema',
    json_schema: { name: 'response', strict: true, schema: schema ?? anyObject },
  }
}

/** A level is an effort. On and off are options of the chat template; other servers reason as their model does. */
function thinkingOf(effort: NativeCall['reasoningEffort'], templateOptions: boolean): Fields {
  if (effort === undefined) return {}
  const isOff = effort === 'none'
  return {
    ...(templateOptions && { chat_template_kwargs: { enable_thinking: !isOff } }),
    ...(!isOff && { reasoning_effort: effort === 'xhigh' ? 'high' : effort }),
  }
}

/** Sampling options: those of most servers, those that this runtime has, and the names of the others. */
function samplingOf(call: NativeCall, runtime: RuntimeName) {
  const { options } = runtimeTraits[runtime]
  const given = Object(call.runtime?.['options']) as Fields
  const special: Fields = { ...given, top_k: call.topK, min_p: call.minP }
  const known = Object.entries(special).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(options, name),
  )
  const { topK, minP } = call
  // Negative numbers stand for the defaults of the server: no limit of tokens, a random seed.
  const { num_predict: _limit, seed: _seed, ...others } = given
  return {
    fields: {
      ...defined({
        max_tokens: call.maxTokens,
        temperature: call.temperature,
        top_p: call.topP,
        seed: call.seed,
        stop: call.stop,
        frequency_penalty: call.frequencyPenalty,
        presence_penalty: call.presencePenalty,
      }),
      ...Object.fromEntries(known.map(([name, value]) => [options[name], value])),
    },
    ignored: [
      ...(topK !== undefined && options['top_k'] === undefined ? ['options.top_k'] : []),
      ...(minP !== undefined && options['min_p'] === undefined ? ['options.min_p'] : []),
    ],
    rest: Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(options, name))),
  }
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The result of a function that throws failures, or the failure. */
export function failureOr<Result>(act: () => Result): Result | Failure {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

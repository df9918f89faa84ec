import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ChatRequest, ResponseMetadata } from '../../gateway/contract.ts'
import type {
  FinishReason,
  JsonSchema,
  ModelCall,
  TokenUsage,
  ToolCall,
  TranslatedPart,
} from '../../providers/provider.ts'
import { errorCodeOf, openAiErrorMessages } from '../error-messages.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { textCallHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readTextRequestContext } from '../requests/gateway-request.ts'
import { cleanFields } from '../requests/unsupported-fields.ts'
import { type CollectedResponse, thinkingTextOf } from '../responses/collect-response.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { sendChat } from '../responses/send-chat.ts'
import type { StreamWriter } from '../responses/send-stream.ts'
import { chatRequestSchema, inertChatFields, nativeChatFields } from './chat-request.ts'
import { checkChatFields, checkCompletionFields } from './check-fields.ts'
import {
  completionRequestSchema,
  inertCompletionFields,
  nativeCompletionFields,
} from './completion-request.ts'
import { describeOpenAiError, discourageRetries } from './errors.ts'
import { logLabels } from './request-labels.ts'
import { chatResponse, completionResponse, type Usage } from './response-schemas.ts'
import { chatCall, completionCall, strictSchemaOf } from './to-model-call.ts'

interface TextRequest {
  readonly format: OpenAiFormat
  readonly call: ModelCall
  readonly stream: boolean
  readonly includeUsage: boolean
  /** The schema that the output must satisfy. */
  readonly schema: JsonSchema | undefined
}

interface WholeResponse {
  readonly metadata: ResponseMetadata
  readonly collected: CollectedResponse
}

/** The routes for chat completions and completions. */
export function addOpenAiTextRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, askForJson, accountBudgetOf, ratePolicy, rules } = options
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes

  async function generateStructured(gatewayRequest: ChatRequest, schema: JsonSchema): Promise<WholeResponse> {
    const output = await askForJson({ request: gatewayRequest, schema }).catch(withSchemaPath)
    const { text, finish, cost: usage } = output
    return {
      metadata: output,
      collected: { text, thinking: [], toolCalls: [], end: { type: 'end', finish, usage } },
    }
  }

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    textRequest: TextRequest,
  ): Promise<void> {
    const { format, call, stream, includeUsage, schema } = textRequest
    const caller = watchCaller(request, reply)
    try {
      const gatewayRequest = {
        ...readTextRequestContext(request, { caller, accountBudgetOf }),
        call: { ...call, ...readForwardedHeaders(request, options) },
      }
      if (schema !== undefined && !stream) {
        const { metadata, collected } = await generateStructured(gatewayRequest, schema)
        await reply.headers(responseHeaders(metadata)).send(writeWhole(format, metadata, collected))
        return
      }
      const response = await gateway.chat(gatewayRequest)
      await sendChat(request, reply, {
        response,
        stream,
        createWriter: () => createOpenAiWriter({ format, metadata: response, includeUsage }),
        writeWhole: (collected) => writeWhole(format, response, collected),
        caller,
        rules,
        idempotency,
      })
    } catch (thrown) {
      throw discourageRetries(reply, caller.explain(thrown))
    }
  }

  routes.post(
    '/v1/chat/completions',
    {
      config,
      bodyLimit,
      preValidation: cleanFields(inertChatFields, checkChatFields),
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Create a chat completion',
        description:
          'Generates a response. Providers with the OpenAI protocol get fields that are not described here as they are; for other models these are refused by name. Null means that a field is absent.',
        headers: textCallHeaders(sessionHeader),
        body: chatRequestSchema,
        response: { 200: chatResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const stream = body.stream === true
      const call = chatCall(body)
      const nativeFields = nativeChatFields(body)
      logLabels(request, body)
      await respond(request, reply, {
        format: chatFormat,
        call: { ...call, original: { protocol: 'openai.chat', body, stream, nativeFields } },
        stream,
        includeUsage: body.stream_options?.include_usage === true,
        // A request with parameters of its provider gets the response of the provider.
        schema: nativeFields.length === 0 ? strictSchemaOf(body, call) : undefined,
      })
    },
  )

  routes.post(
    '/v1/completions',
    {
      config,
      bodyLimit,
      preValidation: cleanFields(inertCompletionFields, checkCompletionFields),
      schema: {
        operationId: 'createCompletion',
        summary: 'Create a completion',
        description:
          'Generates a response. Providers with the OpenAI protocol get fields that are not described here as they are; for other models these are refused by name. Null means that a field is absent.',
        headers: textCallHeaders(sessionHeader),
        body: completionRequestSchema,
        response: { 200: completionResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const stream = body.stream === true
      const call = completionCall(body)
      logLabels(request, body)
      await respond(request, reply, {
        format: completionFormat,
        call: {
          ...call,
          original: {
            protocol: 'openai.completions',
            body,
            stream,
            nativeFields: nativeCompletionFields(body),
          },
        },
        stream,
        includeUsage: body.stream_options?.include_usage === true,
        schema: undefined,
      })
    },
  )
}

/** Sets the path of schema problems to the field of this API that contains the schema. */
function withSchemaPath(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'invalid_input') throw thrown
  throw new Failure(thrown.code, thrown, {
    problems: thrown.problems.map((problem) => ({ ...problem, path: 'response_format.json_schema.schema' })),
    cause: thrown,
  })
}

/** The response format of a chat completion or a completion. */
interface OpenAiFormat {
  readonly idPrefix: string
  readonly object: string
  readonly chunkObject: string
  /** The choice of the chunk before the first text; undefined when there is no such chunk. */
  readonly opening: object | undefined
  /** The choice for a part of the response; undefined for a part that the format does not contain. */
  delta(part: Exclude<TranslatedPart, { type: 'end' }>): object | undefined
  /** The choice of the last chunk, without its finish reason. */
  readonly closing: object
  whole(response: CollectedResponse): object
}

const chatFormat: OpenAiFormat = {
  idPrefix: 'chatcmpl',
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  opening: { delta: { role: 'assistant', content: '', refusal: null } },
  delta(part) {
    const delta = chatDeltaOf(part)
    return delta && { delta }
  },
  closing: { delta: {} },
  whole(response) {
    const { text, thinking, toolCalls } = response
    return {
      message: {
        role: 'assistant',
        content: text === '' && toolCalls.length > 0 ? null : text,
        refusal: null,
        ...(thinking.length > 0 && { reasoning_content: thinkingTextOf(response) }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallOf) }),
      },
    }
  },
}

const completionFormat: OpenAiFormat = {
  idPrefix: 'cmpl',
  object: 'text_completion',
  chunkObject: 'text_completion',
  opening: undefined,
  // Completions have no field for reasoning.
  delta: (part) => (part.type === 'text' ? { text: part.text } : undefined),
  closing: { text: '' },
  whole: ({ text }) => ({ text }),
}

function chatDeltaOf(part: Exclude<TranslatedPart, { type: 'end' }>): object | undefined {
  switch (part.type) {
    case 'text':
      return { content: part.text }
    case 'thinking':
      return { reasoning_content: part.text }
    case 'tool_call': {
      const { index, id, name } = part
      return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }
    }
    case 'tool_arguments':
      return { tool_calls: [{ index: part.index, function: { arguments: part.text } }] }
    default:
      // The format has no field for the signature of reasoning.
      return undefined
  }
}

function toolCallOf({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } }
}

interface WriterOptions {
  readonly format: OpenAiFormat
  readonly metadata: ResponseMetadata
  readonly includeUsage: boolean
}

/** Writes the events of an OpenAI stream. */
function createOpenAiWriter({ format, metadata, includeUsage }: WriterOptions): StreamWriter {
  const head = headOf(format.idPrefix, format.chunkObject, metadata)
  // With include_usage, every chunk has the field, with null until the last one.
  const noUsage = includeUsage ? { usage: null } : {}
  const chunk = (choice: object, reason: string | null) =>
    event({
      ...head,
      choices: [{ index: 0, ...choice, logprobs: null, finish_reason: reason }],
      ...noUsage,
    })
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: format.opening === undefined ? '' : chunk(format.opening, null),
    part(part) {
      if (part.type !== 'end') {
        const delta = format.delta(part)
        return delta === undefined ? '' : chunk(delta, null)
      }
      const usage = includeUsage ? event({ ...head, choices: [], usage: usageOf(part.usage) }) : ''
      return `${chunk(format.closing, reasonOf(part.finish))}${usage}data: [DONE]\n\n`
    },
    failure: (failure) => event({ error: describeFailure(failure) }),
    heartbeat: ': still here\n\n',
  }
}

/** The response without streaming. */
function writeWhole(format: OpenAiFormat, metadata: ResponseMetadata, collected: CollectedResponse): object {
  return {
    ...headOf(format.idPrefix, format.object, metadata),
    choices: [
      { index: 0, ...format.whole(collected), logprobs: null, finish_reason: reasonOf(collected.end.finish) },
    ],
    usage: usageOf(collected.end.usage),
  }
}

function headOf(idPrefix: string, object: string, { callId, model }: ResponseMetadata) {
  return { id: `${idPrefix}-${callId}`, object, created: Math.floor(Date.now() / 1000), model }
}

/** Null when the provider reported no usage. */
function usageOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage): Usage | null {
  if (inputTokens === null || outputTokens === null) return null
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== null && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  }
}

/** The finish reasons that OpenAI clients know. */
function reasonOf(finish: FinishReason): string {
  return finish === 'other' ? 'stop' : finish
}

function describeFailure(failure: Failure) {
  const { status, message, problems } = failure
  return describeOpenAiError({ status, message, problems, code: errorCodeOf(openAiErrorMessages, failure) })
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

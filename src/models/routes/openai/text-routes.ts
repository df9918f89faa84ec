import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { AnsweredBy, ChatRequest } from '../../gateway/contract.ts'
import type { FinishReason, JsonSchema, ModelCall, TokenUsage } from '../../providers/provider.ts'
import { errorCodeOf, openAiErrorMessages } from '../error-messages.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { textCallHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readTextRequestContext } from '../requests/gateway-request.ts'
import { refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { type CollectedResponse, collectResponse } from '../responses/collect-response.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { sendStream } from '../responses/send-stream.ts'
import type { StreamWriter } from '../responses/stream-writer.ts'
import { chatRequestSchema, refusedChatFields } from './chat-request.ts'
import { checkChatFields, checkCompletionFields } from './check-fields.ts'
import { completionRequestSchema, refusedCompletionFields } from './completion-request.ts'
import { describeOpenAiError } from './errors.ts'
import { logLabels } from './request-labels.ts'
import { chatResponse, completionResponse, type Usage } from './response-schemas.ts'
import { discourageRetries } from './retry-header.ts'
import { chatCall, completionCall, strictSchemaOf } from './to-model-call.ts'

interface Wanted {
  readonly shape: OpenAiFormat
  readonly call: ModelCall
  readonly stream: boolean
  readonly includeUsage: boolean
  /** What the answer is held to. */
  readonly schema: JsonSchema | undefined
}

interface WholeResponse {
  readonly answered: AnsweredBy
  readonly collected: CollectedResponse
}

/** Models for clients of OpenAI. */
export function addOpenAiTextRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, askForJson, accountBudgetOf, ratePolicy, rules } = options
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes

  async function generateText(asked: ChatRequest): Promise<WholeResponse> {
    const answered = await gateway.chat(asked)
    return { answered, collected: await collectResponse(answered) }
  }

  async function generateStructured(asked: ChatRequest, schema: JsonSchema): Promise<WholeResponse> {
    const answered = await askForJson({ request: asked, schema }).catch(withSchemaPath)
    const { text, finish, cost: usage } = answered
    return { answered, collected: { text, thinking: '', end: { type: 'end', finish, usage } } }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, wanted: Wanted): Promise<void> {
    const { shape, call, stream, includeUsage, schema } = wanted
    const caller = watchCaller(request, reply)
    try {
      const asked = {
        ...readTextRequestContext(request, { caller, accountBudgetOf }),
        call: { ...call, ...readForwardedHeaders(request, options) },
      }
      if (stream) {
        const answered = await gateway.chat(asked)
        const writer = createOpenAiWriter({ shape, answered, includeUsage })
        const recorder = idempotency.recordStream(request)
        await sendStream(request, reply, { answer: answered, writer, caller, rules, recorder })
        return
      }
      const { answered, collected } =
        schema === undefined ? await generateText(asked) : await generateStructured(asked, schema)
      await reply.headers(responseHeaders(answered)).send(writeWhole(shape, answered, collected))
    } catch (thrown) {
      throw discourageRetries(reply, caller.explain(thrown))
    }
  }

  routes.post(
    '/v1/chat/completions',
    {
      config,
      bodyLimit,
      preValidation: refuseUnsupportedFields(refusedChatFields, checkChatFields),
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Answer a conversation',
        description:
          'Fields that are known and not honoured are refused by name; null is as good as left out.',
        headers: textCallHeaders(sessionHeader),
        body: chatRequestSchema,
        response: { 200: chatResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const call = chatCall(body)
      logLabels(request, body)
      await answer(request, reply, {
        shape: chatFormat,
        call,
        stream: body.stream === true,
        includeUsage: body.stream_options?.include_usage === true,
        schema: strictSchemaOf(body, call),
      })
    },
  )

  routes.post(
    '/v1/completions',
    {
      config,
      bodyLimit,
      preValidation: refuseUnsupportedFields(refusedCompletionFields, checkCompletionFields),
      schema: {
        operationId: 'createCompletion',
        summary: 'Complete a prompt',
        description:
          'Fields that are known and not honoured are refused by name; null is as good as left out.',
        headers: textCallHeaders(sessionHeader),
        body: completionRequestSchema,
        response: { 200: completionResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const call = completionCall(body)
      logLabels(request, body)
      await answer(request, reply, {
        shape: completionFormat,
        call,
        stream: body.stream === true,
        includeUsage: body.stream_options?.include_usage === true,
        schema: undefined,
      })
    },
  )
}

/** What is wrong with a schema is told by its place in the body, which only this interface knows. */
function withSchemaPath(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'invalid_input') throw thrown
  throw new Failure(thrown.code, thrown, {
    problems: thrown.problems.map((problem) => ({ ...problem, path: 'response_format.json_schema.schema' })),
    cause: thrown,
  })
}

/** The two ways OpenAI writes a text: an answer in a conversation, and the completion of a prompt. */
interface OpenAiFormat {
  readonly idPrefix: string
  readonly object: string
  readonly chunkObject: string
  /** What the first chunk has to say before there is any text; undefined when nothing. */
  readonly opening: object | undefined
  /** A piece of the answer as the varying part of a choice; undefined for what has no place there. */
  piece(type: 'text' | 'thinking', text: string): object | undefined
  /** The choice of the last chunk, besides its reason. */
  readonly closing: object
  whole(text: string, thinking: string): object
}

const chatFormat: OpenAiFormat = {
  idPrefix: 'chatcmpl',
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  opening: { delta: { role: 'assistant', content: '', refusal: null } },
  piece: (type, text) => ({ delta: type === 'text' ? { content: text } : { reasoning_content: text } }),
  closing: { delta: {} },
  whole: (text, thinking) => ({
    message: {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(thinking !== '' && { reasoning_content: thinking }),
    },
  }),
}

const completionFormat: OpenAiFormat = {
  idPrefix: 'cmpl',
  object: 'text_completion',
  chunkObject: 'text_completion',
  opening: undefined,
  // Nobody who asks for a completion has a place for thoughts.
  piece: (type, text) => (type === 'text' ? { text } : undefined),
  closing: { text: '' },
  whole: (text) => ({ text }),
}

interface WriterOptions {
  readonly shape: OpenAiFormat
  readonly answered: AnsweredBy
  readonly includeUsage: boolean
}

/** Server-sent events as OpenAI sends them. */
function createOpenAiWriter({ shape, answered, includeUsage }: WriterOptions): StreamWriter {
  const head = headOf(shape.idPrefix, shape.chunkObject, answered)
  // Whoever asked for the usage finds the field in every chunk, and null until the last.
  const noUsage = includeUsage ? { usage: null } : {}
  const chunk = (choice: object, reason: string | null) =>
    event({
      ...head,
      choices: [{ index: 0, ...choice, logprobs: null, finish_reason: reason }],
      ...noUsage,
    })
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: shape.opening === undefined ? '' : chunk(shape.opening, null),
    part(part) {
      if (part.type !== 'end') {
        const piece = shape.piece(part.type, part.text)
        return piece === undefined ? '' : chunk(piece, null)
      }
      const usage = includeUsage ? event({ ...head, choices: [], usage: usageOf(part.usage) }) : ''
      return `${chunk(shape.closing, reasonOf(part.finish))}${usage}data: [DONE]\n\n`
    },
    breakOff: (failure) => event({ error: describeFailure(failure) }),
    heartbeat: ': still here\n\n',
  }
}

/** The answer in one piece. */
function writeWhole(
  shape: OpenAiFormat,
  answered: AnsweredBy,
  { text, thinking, end }: CollectedResponse,
): object {
  return {
    ...headOf(shape.idPrefix, shape.object, answered),
    choices: [
      { index: 0, ...shape.whole(text, thinking), logprobs: null, finish_reason: reasonOf(end.finish) },
    ],
    usage: usageOf(end.usage),
  }
}

function headOf(idPrefix: string, object: string, { callId, model }: AnsweredBy) {
  return { id: `${idPrefix}-${callId}`, object, created: Math.floor(Date.now() / 1000), model }
}

/** Null when the provider did not count: a number would be made up. */
function usageOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage): Usage | null {
  if (inputTokens === null || outputTokens === null) return null
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== null && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  }
}

/** Clients know these words alone. */
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

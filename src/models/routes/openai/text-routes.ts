import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { AnsweredBy, ChatRequest } from '../../gateway/contract.ts'
import type { FinishReason, JsonSchema, ModelCall, TokenUsage } from '../../providers/provider.ts'
import { answerHeaders } from '../answers/answer-headers.ts'
import type { AnswerWriter } from '../answers/answer-writer.ts'
import { type CollectedAnswer, collectAnswer } from '../answers/collect-answer.ts'
import { sendStream } from '../answers/send-stream.ts'
import { textCallHeaders } from '../asked/call-headers.ts'
import { watchCaller } from '../asked/caller.ts'
import { passedOn } from '../asked/passed-on.ts'
import { takeFields } from '../asked/take-fields.ts'
import { whoAsksForText } from '../asked/who-asks.ts'
import { openAiErrorMessages, wordCode } from '../error-messages.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { chatAnswer, completionAnswer, type Usage } from './answers.ts'
import { chatBody, refusedChatFields } from './chat-body.ts'
import { completionBody, refusedCompletionFields } from './completion-body.ts'
import { describeOpenAiError } from './errors.ts'
import { noteLabels } from './labels.ts'
import { lookIntoChat, lookIntoCompletion } from './look-inside.ts'
import { spareRetries } from './spare-retries.ts'
import { chatCall, completionCall, strictSchemaOf } from './to-call.ts'

interface Wanted {
  readonly shape: OpenAiShape
  readonly call: ModelCall
  readonly stream: boolean
  readonly includeUsage: boolean
  /** What the answer is held to. */
  readonly schema: JsonSchema | undefined
}

interface WholeAnswer {
  readonly answered: AnsweredBy
  readonly collected: CollectedAnswer
}

/** Models for clients of OpenAI. */
export function addOpenAiTextRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, askForJson, accountBudgetOf, ratePolicy, rules } = options
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes

  async function askInText(asked: ChatRequest): Promise<WholeAnswer> {
    const answered = await gateway.chat(asked)
    return { answered, collected: await collectAnswer(answered) }
  }

  async function askInJson(asked: ChatRequest, schema: JsonSchema): Promise<WholeAnswer> {
    const answered = await askForJson({ request: asked, schema }).catch(nameSchema)
    const { text, finish, cost: usage } = answered
    return { answered, collected: { text, thinking: '', end: { type: 'end', finish, usage } } }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, wanted: Wanted): Promise<void> {
    const { shape, call, stream, includeUsage, schema } = wanted
    const caller = watchCaller(request, reply)
    try {
      const asked = {
        ...whoAsksForText(request, { caller, accountBudgetOf }),
        call: { ...call, ...passedOn(request, options) },
      }
      if (stream) {
        const answered = await gateway.chat(asked)
        const writer = createOpenAiWriter({ shape, answered, includeUsage })
        const recorder = idempotency.recordStream(request)
        await sendStream(request, reply, { answer: answered, writer, caller, rules, recorder })
        return
      }
      const { answered, collected } =
        schema === undefined ? await askInText(asked) : await askInJson(asked, schema)
      await reply.headers(answerHeaders(answered)).send(writeWhole(shape, answered, collected))
    } catch (thrown) {
      throw spareRetries(reply, caller.explain(thrown))
    }
  }

  routes.post(
    '/v1/chat/completions',
    {
      config,
      bodyLimit,
      preValidation: takeFields(refusedChatFields, lookIntoChat),
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Answer a conversation',
        description:
          'Fields that are known and not honoured are refused by name; null is as good as left out.',
        headers: textCallHeaders(sessionHeader),
        body: chatBody,
        response: { 200: chatAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request
      const call = chatCall(body)
      noteLabels(request, body)
      await answer(request, reply, {
        shape: chatShape,
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
      preValidation: takeFields(refusedCompletionFields, lookIntoCompletion),
      schema: {
        operationId: 'createCompletion',
        summary: 'Complete a prompt',
        description:
          'Fields that are known and not honoured are refused by name; null is as good as left out.',
        headers: textCallHeaders(sessionHeader),
        body: completionBody,
        response: { 200: completionAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request
      const call = completionCall(body)
      noteLabels(request, body)
      await answer(request, reply, {
        shape: completionShape,
        call,
        stream: body.stream === true,
        includeUsage: body.stream_options?.include_usage === true,
        schema: undefined,
      })
    },
  )
}

/** What is wrong with a schema is told by its place in the body, which only this interface knows. */
function nameSchema(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'invalid_input') throw thrown
  throw new Failure(thrown.code, thrown, {
    problems: thrown.problems.map((problem) => ({ ...problem, path: 'response_format.json_schema.schema' })),
    cause: thrown,
  })
}

/** The two ways OpenAI writes a text: an answer in a conversation, and the completion of a prompt. */
interface OpenAiShape {
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

const chatShape: OpenAiShape = {
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

const completionShape: OpenAiShape = {
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
  readonly shape: OpenAiShape
  readonly answered: AnsweredBy
  readonly includeUsage: boolean
}

/** Server-sent events as OpenAI sends them. */
function createOpenAiWriter({ shape, answered, includeUsage }: WriterOptions): AnswerWriter {
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
    breakOff: (failure) => event({ error: tellFailure(failure) }),
    heartbeat: ': still here\n\n',
  }
}

/** The answer in one piece. */
function writeWhole(
  shape: OpenAiShape,
  answered: AnsweredBy,
  { text, thinking, end }: CollectedAnswer,
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

function tellFailure(failure: Failure) {
  const { status, message, problems } = failure
  return describeOpenAiError({ status, message, problems, code: wordCode(openAiErrorMessages, failure) })
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

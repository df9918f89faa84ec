import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ChatMessage, EmbedCall, ModelCall } from '../../providers/provider.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { callHeaders, textCallHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readRequestContext, readTextRequestContext } from '../requests/gateway-request.ts'
import { checkMessages, refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { collectResponse } from '../responses/collect-response.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { sendStream } from '../responses/send-stream.ts'
import { startStopwatch } from '../responses/stopwatch.ts'
import {
  type ChatRequestBody,
  chatRequestSchema,
  type EmbedRequestBody,
  embedRequestSchema,
  type GenerateRequestBody,
  generateRequestSchema,
  refusedEmbedFields,
  refusedMessageFields,
  refusedRuntimeFields,
} from './request-schemas.ts'
import { createRuntimeWriter, writeWhole } from './write-response.ts'

/** Models by the bodies of the runtime: what runs against a node or the cluster runs against these. */
export function addRuntimeRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, accountBudgetOf, ratePolicy, rules } = options
  idempotency.watch(routes)
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { call, stream }: { readonly call: ModelCall; readonly stream: boolean },
  ): Promise<void> {
    const stopwatch = startStopwatch()
    const caller = watchCaller(request, reply)
    try {
      const answered = await gateway.chat({
        ...readTextRequestContext(request, { caller, accountBudgetOf }),
        call: { ...call, ...readForwardedHeaders(request, options) },
      })
      stopwatch.begun()
      const errorFormat = { kind: call.kind, answer: answered, stopwatch }
      if (stream) {
        await sendStream(request, reply, {
          answer: answered,
          writer: createRuntimeWriter(errorFormat),
          caller,
          rules,
          recorder: idempotency.recordStream(request),
        })
        return
      }
      const whole = writeWhole(errorFormat, await collectResponse(answered))
      await reply.headers(responseHeaders(answered)).send(whole)
    } catch (thrown) {
      throw caller.explain(thrown)
    }
  }

  routes.post(
    '/api/v1/generate',
    {
      config,
      bodyLimit,
      preValidation: refuseUnsupportedFields(refusedRuntimeFields),
      schema: {
        operationId: 'generate',
        summary: 'Complete a prompt',
        description:
          'As the runtime does: one JSON object for each line, or one in all with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: generateRequestSchema,
        response: { 200: generateResponse },
      },
    },
    (request, reply) => {
      const { stream = true } = request.body
      return answer(request, reply, { call: generateCall(request.body), stream })
    },
  )

  routes.post(
    '/api/v1/chat',
    {
      config,
      bodyLimit,
      preValidation: refuseUnsupportedFields(refusedRuntimeFields, (fields) =>
        checkMessages(fields, refusedMessageFields),
      ),
      schema: {
        operationId: 'chat',
        summary: 'Answer a conversation',
        description:
          'As the runtime does: one JSON object for each line, or one in all with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: chatRequestSchema,
        response: { 200: chatResponse },
      },
    },
    (request, reply) => {
      const { stream = true } = request.body
      return answer(request, reply, { call: chatCall(request.body), stream })
    },
  )

  routes.post(
    '/api/v1/embed',
    {
      config,
      bodyLimit,
      preValidation: refuseUnsupportedFields(refusedEmbedFields),
      schema: {
        operationId: 'embed',
        summary: 'Turn texts into vectors',
        description: 'As the runtime does: one vector for each input, in their order.',
        headers: callHeaders(sessionHeader),
        body: embedRequestSchema,
        response: { 200: embedResponse },
      },
    },
    async (request, reply) => {
      const stopwatch = startStopwatch()
      const caller = watchCaller(request, reply)
      try {
        const answered = await gateway.embed({
          ...readRequestContext(request, { caller, accountBudgetOf }),
          call: { ...embedCall(request.body), ...readForwardedHeaders(request, options) },
        })
        const { vectors, inputTokens } = answered.embeddings
        return await reply.headers(responseHeaders(answered)).send({
          model: answered.model,
          embeddings: vectors.map((vector) => [...vector]),
          total_duration: Math.round(stopwatch.totalMs() * 1_000_000),
          ...(inputTokens !== null && { prompt_eval_count: inputTokens }),
        })
      } catch (thrown) {
        throw caller.explain(thrown)
      }
    },
  )
}

/* What the runtime answers in one piece. A node may say more than this, and all of it is passed on. */

const count = (description: string) => Type.Optional(Type.Integer({ description }))

const facts = {
  model: Type.String({ description: 'The one that answered.' }),
  created_at: Type.String({ format: 'date-time' }),
  done: Type.Boolean(),
  done_reason: Type.Optional(
    Type.String({ description: '`stop`, `length`, or another word of its provider.' }),
  ),
  total_duration: count('Nanoseconds for the whole of it.'),
  load_duration: count('Nanoseconds to load the model, when a node says.'),
  prompt_eval_count: count('Tokens read, when the provider says.'),
  prompt_eval_duration: count('Nanoseconds to the first token.'),
  eval_count: count('Tokens written, when the provider says.'),
  eval_duration: count('Nanoseconds from the first token to the last.'),
}

const thinkingField = Type.Optional(Type.String({ description: 'What a reasoning model thought aloud.' }))

function streamed<Schema extends ReturnType<typeof Type.Object>>(schema: Schema, description: string) {
  return {
    description,
    content: { 'application/json': { schema }, 'application/x-ndjson': { schema } },
  }
}

const generateResponse = streamed(
  Type.Object({ ...facts, response: Type.String(), thinking: thinkingField }, { additionalProperties: true }),
  'The answer, or a piece of it on each line.',
)

const chatResponse = streamed(
  Type.Object(
    {
      ...facts,
      message: Type.Object({ role: Type.String(), content: Type.String(), thinking: thinkingField }),
    },
    { additionalProperties: true },
  ),
  'The answer, or a piece of it on each line.',
)

const embedResponse = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer({ description: 'Nanoseconds.' }),
    prompt_eval_count: Type.Optional(Type.Integer()),
  },
  { description: 'One vector for each input.' },
)

type Options = NonNullable<GenerateRequestBody['options']>

/** A body of `generate` as a call. */
export function generateCall(body: GenerateRequestBody): ModelCall {
  const { model, prompt = '', system, format, options, stream: _stream, ...runtime } = body
  const messages: ChatMessage[] = [{ role: 'user', content: prompt }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return callOf({ model, kind: 'generate', messages }, { format, options, runtime })
}

/** A body of `chat` as a call. */
export function chatCall(body: ChatRequestBody): ModelCall {
  const { model, messages, format, options, stream: _stream, ...runtime } = body
  const plain = messages.map(({ role, content }): ChatMessage => ({ role, content }))
  // What only nodes understand stands inside the messages, so they get those as they came.
  const carriesMore = messages.some(({ thinking, images }) => thinking !== undefined || images !== undefined)
  return callOf(
    { model, kind: 'chat', messages: plain },
    { format, options, runtime: carriesMore ? { ...runtime, messages } : runtime },
  )
}

export function embedCall({ model, input, dimensions }: EmbedRequestBody): EmbedCall {
  return { model, inputs: [input].flat(), dimensions }
}

function callOf(
  call: ModelCall,
  more: {
    readonly format: GenerateRequestBody['format']
    readonly options: Options | undefined
    readonly runtime: Readonly<Record<string, unknown>>
  },
): ModelCall {
  const { neutral, others } = splitOptions(more.options ?? {})
  const runtime = { ...more.runtime, ...(Object.keys(others).length > 0 && { options: others }) }
  return {
    ...call,
    ...neutral,
    ...formatOf(more.format),
    ...(Object.keys(runtime).length > 0 && { runtime }),
  }
}

function formatOf(format: GenerateRequestBody['format']): Pick<ModelCall, 'format'> {
  if (format === undefined || format === '') return {}
  return { format: format === 'json' ? {} : { schema: format } }
}

/** Tells what every provider understands from what only nodes do. */
function splitOptions(options: Options) {
  const { temperature, top_p, stop, presence_penalty, frequency_penalty, num_predict, seed, ...others } =
    options
  // Numbers below these are words of the runtime's own: without end, as long as the context, by chance.
  const maxTokens = num_predict !== undefined && num_predict >= 1 ? num_predict : undefined
  const fixedSeed = seed !== undefined && seed >= 0 ? seed : undefined
  return {
    neutral: {
      temperature,
      topP: top_p,
      stop,
      presencePenalty: presence_penalty,
      frequencyPenalty: frequency_penalty,
      maxTokens,
      seed: fixedSeed,
    },
    others: {
      ...others,
      ...(num_predict !== undefined && maxTokens === undefined && { num_predict }),
      ...(seed !== undefined && fixedSeed === undefined && { seed }),
    },
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ChatMessage, EmbedCall, ModelCall } from '../../providers/provider.ts'
import { answerHeaders } from '../answers/answer-headers.ts'
import { collectAnswer } from '../answers/collect-answer.ts'
import { sendStream } from '../answers/send-stream.ts'
import { startStopwatch } from '../answers/stopwatch.ts'
import { callHeaders, textCallHeaders } from '../asked/call-headers.ts'
import { watchCaller } from '../asked/caller.ts'
import { passedOn } from '../asked/passed-on.ts'
import { lookIntoMessages, takeFields } from '../asked/take-fields.ts'
import { whoAsks, whoAsksForText } from '../asked/who-asks.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import {
  type ChatBody,
  chatBody,
  type EmbedBody,
  embedBody,
  type GenerateBody,
  generateBody,
  refusedEmbedFields,
  refusedMessageFields,
  refusedRuntimeFields,
} from './bodies.ts'
import { createRuntimeWriter, writeWhole } from './write-answer.ts'

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
        ...whoAsksForText(request, { caller, accountBudgetOf }),
        call: { ...call, ...passedOn(request, options) },
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
      const whole = writeWhole(errorFormat, await collectAnswer(answered))
      await reply.headers(answerHeaders(answered)).send(whole)
    } catch (thrown) {
      throw caller.explain(thrown)
    }
  }

  routes.post(
    '/api/v1/generate',
    {
      config,
      bodyLimit,
      preValidation: takeFields(refusedRuntimeFields),
      schema: {
        operationId: 'generate',
        summary: 'Complete a prompt',
        description:
          'As the runtime does: one JSON object for each line, or one in all with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: generateBody,
        response: { 200: generateAnswer },
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
      preValidation: takeFields(refusedRuntimeFields, (fields) =>
        lookIntoMessages(fields, refusedMessageFields),
      ),
      schema: {
        operationId: 'chat',
        summary: 'Answer a conversation',
        description:
          'As the runtime does: one JSON object for each line, or one in all with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: chatBody,
        response: { 200: chatAnswer },
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
      preValidation: takeFields(refusedEmbedFields),
      schema: {
        operationId: 'embed',
        summary: 'Turn texts into vectors',
        description: 'As the runtime does: one vector for each input, in their order.',
        headers: callHeaders(sessionHeader),
        body: embedBody,
        response: { 200: embedAnswer },
      },
    },
    async (request, reply) => {
      const stopwatch = startStopwatch()
      const caller = watchCaller(request, reply)
      try {
        const answered = await gateway.embed({
          ...whoAsks(request, { caller, accountBudgetOf }),
          call: { ...embedCall(request.body), ...passedOn(request, options) },
        })
        const { vectors, inputTokens } = answered.embeddings
        return await reply.headers(answerHeaders(answered)).send({
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

const generateAnswer = streamed(
  Type.Object({ ...facts, response: Type.String(), thinking: thinkingField }, { additionalProperties: true }),
  'The answer, or a piece of it on each line.',
)

const chatAnswer = streamed(
  Type.Object(
    {
      ...facts,
      message: Type.Object({ role: Type.String(), content: Type.String(), thinking: thinkingField }),
    },
    { additionalProperties: true },
  ),
  'The answer, or a piece of it on each line.',
)

const embedAnswer = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer({ description: 'Nanoseconds.' }),
    prompt_eval_count: Type.Optional(Type.Integer()),
  },
  { description: 'One vector for each input.' },
)

type Options = NonNullable<GenerateBody['options']>

/** A body of `generate` as a call. */
export function generateCall(body: GenerateBody): ModelCall {
  const { model, prompt = '', system, format, options, stream: _stream, ...runtime } = body
  const messages: ChatMessage[] = [{ role: 'user', content: prompt }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return callOf({ model, kind: 'generate', messages }, { format, options, runtime })
}

/** A body of `chat` as a call. */
export function chatCall(body: ChatBody): ModelCall {
  const { model, messages, format, options, stream: _stream, ...runtime } = body
  const plain = messages.map(({ role, content }): ChatMessage => ({ role, content }))
  // What only nodes understand stands inside the messages, so they get those as they came.
  const carriesMore = messages.some(({ thinking, images }) => thinking !== undefined || images !== undefined)
  return callOf(
    { model, kind: 'chat', messages: plain },
    { format, options, runtime: carriesMore ? { ...runtime, messages } : runtime },
  )
}

export function embedCall({ model, input, dimensions }: EmbedBody): EmbedCall {
  return { model, inputs: [input].flat(), dimensions }
}

function callOf(
  call: ModelCall,
  more: {
    readonly format: GenerateBody['format']
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

function formatOf(format: GenerateBody['format']): Pick<ModelCall, 'format'> {
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

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
import { createRuntimeWriter, startStopwatch, writeWhole } from './write-response.ts'

/** The gateway in the format of the model runtime: clients of a node or the cluster can use it unchanged. */
export function addRuntimeRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, accountBudgetOf, ratePolicy, rules } = options
  idempotency.watch(routes)
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    { call, stream }: { readonly call: ModelCall; readonly stream: boolean },
  ): Promise<void> {
    const stopwatch = startStopwatch()
    const caller = watchCaller(request, reply)
    try {
      const response = await gateway.chat({
        ...readTextRequestContext(request, { caller, accountBudgetOf }),
        call: { ...call, ...readForwardedHeaders(request, options) },
      })
      stopwatch.onFirstPart()
      const format = { kind: call.kind, response, stopwatch }
      if (stream) {
        await sendStream(request, reply, {
          response,
          writer: createRuntimeWriter(format),
          caller,
          rules,
          recorder: idempotency.recordStream(request),
        })
        return
      }
      const whole = writeWhole(format, await collectResponse(response))
      await reply.headers(responseHeaders(response)).send(whole)
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
        summary: 'Generate a completion',
        description:
          'Generates a response in the format of the model runtime: lines of JSON, or one object with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: generateRequestSchema,
        response: { 200: generateResponse },
      },
    },
    (request, reply) => {
      const { stream = true } = request.body
      return respond(request, reply, { call: generateCall(request.body), stream })
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
        summary: 'Generate a chat response',
        description:
          'Generates a response in the format of the model runtime: lines of JSON, or one object with `"stream": false`.',
        headers: textCallHeaders(sessionHeader),
        body: chatRequestSchema,
        response: { 200: chatResponse },
      },
    },
    (request, reply) => {
      const { stream = true } = request.body
      return respond(request, reply, { call: chatCall(request.body), stream })
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
        summary: 'Create embeddings',
        description: 'Returns one embedding for each input, in order, in the format of the model runtime.',
        headers: callHeaders(sessionHeader),
        body: embedRequestSchema,
        response: { 200: embedResponse },
      },
    },
    async (request, reply) => {
      const stopwatch = startStopwatch()
      const caller = watchCaller(request, reply)
      try {
        const response = await gateway.embed({
          ...readRequestContext(request, { caller, accountBudgetOf }),
          call: { ...embedCall(request.body), ...readForwardedHeaders(request, options) },
        })
        const { vectors, inputTokens } = response.embeddings
        return await reply.headers(responseHeaders(response)).send({
          model: response.model,
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

/* The responses of the model runtime. Further fields of a node are passed on. */

const count = (description: string) => Type.Optional(Type.Integer({ description }))

const commonFields = {
  model: Type.String({ description: 'The model that generated the response.' }),
  created_at: Type.String({ format: 'date-time' }),
  done: Type.Boolean(),
  done_reason: Type.Optional(
    Type.String({ description: '`stop`, `length`, or another reason of the provider.' }),
  ),
  total_duration: count('Total duration in nanoseconds.'),
  load_duration: count('Nanoseconds to load the model, if a node reports it.'),
  prompt_eval_count: count('Input tokens, if the provider reports them.'),
  prompt_eval_duration: count('Nanoseconds until the first token.'),
  eval_count: count('Output tokens, if the provider reports them.'),
  eval_duration: count('Nanoseconds from the first to the last token.'),
}

const thinkingField = Type.Optional(Type.String({ description: 'The reasoning of the model.' }))

function streamed<Schema extends ReturnType<typeof Type.Object>>(schema: Schema, description: string) {
  return {
    description,
    content: { 'application/json': { schema }, 'application/x-ndjson': { schema } },
  }
}

const generateResponse = streamed(
  Type.Object(
    { ...commonFields, response: Type.String(), thinking: thinkingField },
    { additionalProperties: true },
  ),
  'The response, or one part on each line.',
)

const chatResponse = streamed(
  Type.Object(
    {
      ...commonFields,
      message: Type.Object({ role: Type.String(), content: Type.String(), thinking: thinkingField }),
    },
    { additionalProperties: true },
  ),
  'The response, or one part on each line.',
)

const embedResponse = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer({ description: 'Nanoseconds.' }),
    prompt_eval_count: Type.Optional(Type.Integer()),
  },
  { description: 'One embedding for each input.' },
)

type Options = NonNullable<GenerateRequestBody['options']>

/** Converts the body of `generate`. */
export function generateCall(body: GenerateRequestBody): ModelCall {
  const { model, prompt = '', system, format, options, stream: _stream, ...runtime } = body
  const messages: ChatMessage[] = [{ role: 'user', content: prompt }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return callOf({ model, kind: 'generate', messages }, { format, options, runtime })
}

/** Converts the body of `chat`. */
export function chatCall(body: ChatRequestBody): ModelCall {
  const { model, messages, format, options, stream: _stream, ...runtime } = body
  const plain = messages.map(({ role, content }): ChatMessage => ({ role, content }))
  // Nodes get the original messages, because reasoning and images are inside them.
  const hasNodeFields = messages.some(
    ({ thinking, images }) => thinking !== undefined || images !== undefined,
  )
  return callOf(
    { model, kind: 'chat', messages: plain },
    { format, options, runtime: hasNodeFields ? { ...runtime, messages } : runtime },
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
  const { common, others } = splitOptions(more.options ?? {})
  const runtime = { ...more.runtime, ...(Object.keys(others).length > 0 && { options: others }) }
  return {
    ...call,
    ...common,
    ...formatOf(more.format),
    ...(Object.keys(runtime).length > 0 && { runtime }),
  }
}

function formatOf(format: GenerateRequestBody['format']): Pick<ModelCall, 'format'> {
  if (format === undefined || format === '') return {}
  return { format: format === 'json' ? {} : { schema: format } }
}

/** Separates the options of all providers from those that only nodes support. */
function splitOptions(options: Options) {
  const { temperature, top_p, stop, presence_penalty, frequency_penalty, num_predict, seed, ...others } =
    options
  // Lower numbers have a special meaning in the runtime: unlimited, as long as the context, a random seed.
  const maxTokens = num_predict !== undefined && num_predict >= 1 ? num_predict : undefined
  const fixedSeed = seed !== undefined && seed >= 0 ? seed : undefined
  return {
    common: {
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

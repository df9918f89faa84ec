import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'
import type { ModelCall } from '../../providers/provider.ts'
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
import { chatAnswer, embedAnswer, generateAnswer } from './answers.ts'
import {
  chatBody,
  embedBody,
  generateBody,
  refusedEmbedFields,
  refusedMessageFields,
  refusedRuntimeFields,
} from './bodies.ts'
import { chatCall, embedCall, generateCall } from './to-call.ts'
import { createRuntimeWriter, writeWhole } from './write-answer.ts'

/** Models by the bodies of the runtime: what runs against a node or the cluster runs against these. */
export function addRuntimeRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, idempotency, purseOf, ratePolicy, rules } = options
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
        ...whoAsksForText(request, { caller, purseOf }),
        call: { ...call, ...passedOn(request, options) },
      })
      stopwatch.begun()
      const voice = { kind: call.kind, answer: answered, stopwatch }
      if (stream) {
        await sendStream(request, reply, {
          answer: answered,
          writer: createRuntimeWriter(voice),
          caller,
          rules,
          recorder: idempotency.recordStream(request),
        })
        return
      }
      const whole = writeWhole(voice, await collectAnswer(answered))
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
          ...whoAsks(request, { caller, purseOf }),
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

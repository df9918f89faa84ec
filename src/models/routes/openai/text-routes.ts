import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'
import type { AnsweredBy, ChatRequest } from '../../gateway/contract.ts'
import type { JsonSchema, ModelCall } from '../../providers/provider.ts'
import { answerHeaders } from '../answers/answer-headers.ts'
import { type CollectedAnswer, collectAnswer } from '../answers/collect-answer.ts'
import { sendStream } from '../answers/send-stream.ts'
import { textCallHeaders } from '../asked/call-headers.ts'
import { watchCaller } from '../asked/caller.ts'
import { passedOn } from '../asked/passed-on.ts'
import { takeFields } from '../asked/take-fields.ts'
import { whoAsksForText } from '../asked/who-asks.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { chatAnswer, completionAnswer } from './answers.ts'
import { chatBody, refusedChatFields } from './chat-body.ts'
import { completionBody, refusedCompletionFields } from './completion-body.ts'
import { noteLabels } from './labels.ts'
import { lookIntoChat, lookIntoCompletion } from './look-inside.ts'
import { nameSchema } from './name-schema.ts'
import { spareRetries } from './spare-retries.ts'
import { chatCall, completionCall, strictSchemaOf } from './to-call.ts'
import {
  chatShape,
  completionShape,
  createOpenAiWriter,
  type OpenAiShape,
  writeWhole,
} from './write-answer.ts'

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
  const { gateway, sessionHeader, idempotency, askForJson, purseOf, ratePolicy, rules } = options
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
        ...whoAsksForText(request, { caller, purseOf }),
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

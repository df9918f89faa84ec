import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ChatRequest, ChatResponse, Gateway } from '../../gateway/contract.ts'
import type { JsonSchema, ModelPart } from '../../providers/provider.ts'
import type { StoredResponses } from '../../stored-responses/stored-responses.ts'
import type { GenerateJson } from '../../structured/structured-output.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { discourageRetries } from '../openai/errors.ts'
import { logLabels } from '../openai/request-labels.ts'
import { textCallHeaders } from '../requests/call-headers.ts'
import { type Caller, watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readTextRequestContext } from '../requests/gateway-request.ts'
import { collectRaw } from '../responses/collect-response.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { sendStream } from '../responses/send-stream.ts'
import {
  type Conversation,
  expandedBody,
  listedItems,
  readConversation,
  requireStorable,
} from './conversation.ts'
import { collectOutput, type KeepResponse, relayEvents, withOwnFields, writeEvents } from './event-stream.ts'
import {
  checkResponsesFields,
  nativeResponsesFields,
  type ResponsesRequestBody,
  responsesRequestSchema,
} from './request.ts'
import { ownFields, type ResponseObject, startedResponse } from './response-object.ts'
import { createdResponse } from './response-schemas.ts'
import { addStoredResponseRoutes } from './stored-routes.ts'
import { responsesCall, strictSchemaOf } from './to-model-call.ts'
import { type TranslatedTools, translateTools } from './tools.ts'

export interface ResponsesRouteOptions extends GatewayRouteOptions {
  readonly storedResponses: StoredResponses
}

/** The Responses API of OpenAI under `/v1/responses`, for every model. Responses are stored on this platform only. */
export function addResponsesRoutes(routes: HttpServer, options: ResponsesRouteOptions): void {
  const { sessionHeader, accountBudgetOf, ratePolicy, rules, storedResponses } = options

  routes.post(
    '/v1/responses',
    {
      config: { ...callConfig, ratePolicy },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: checkResponsesFields,
      schema: {
        operationId: 'createResponse',
        summary: 'Create a response',
        description:
          'Generates a response. OpenAI itself gets fields that are not described here as they are; for other models these are refused by name. Responses are stored on this platform, unless `store` is false.',
        headers: textCallHeaders(sessionHeader),
        body: responsesRequestSchema,
        response: { 200: createdResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      logLabels(request, body)
      const caller = watchCaller(request, reply)
      try {
        const context = readTextRequestContext(request, { caller, accountBudgetOf })
        const conversation = await readConversation(storedResponses, context.accountId, body)
        const isStored = storedResponses.isEnabled && body.store !== false
        if (isStored) requireStorable(conversation.own)
        const tools = translateTools(body.tools)
        const call = responsesCall(body, conversation, tools)
        const nativeFields = nativeResponsesFields(body)
        const gatewayRequest: ChatRequest = {
          ...context,
          call: {
            ...call,
            ...readForwardedHeaders(request, options),
            original: {
              protocol: 'openai.responses',
              body: expandedBody(body, conversation),
              stream: body.stream === true,
              nativeFields,
            },
          },
        }
        // A request with parameters of its provider gets the response of the provider.
        const schema =
          nativeFields.length > 0 || body.stream === true ? undefined : strictSchemaOf(body, call)
        const response =
          schema === undefined
            ? await options.gateway.chat(gatewayRequest)
            : await generateStructured(options.askForJson, gatewayRequest, schema)
        const keep = createKeeper(request, { storedResponses, response, conversation, ...context })
        await sendResponse(request, reply, { body, response, tools, isStored, keep, caller, options })
      } catch (thrown) {
        throw discourageRetries(reply, caller.explain(thrown))
      }
    },
  )

  addStoredResponseRoutes(routes, { storedResponses })
}

/** Output that satisfies its schema, as a response. */
async function generateStructured(
  askForJson: GenerateJson,
  request: ChatRequest,
  schema: JsonSchema,
): Promise<ChatResponse> {
  const {
    text,
    finish,
    cost,
    value: _value,
    asked: _asked,
    ...metadata
  } = await askForJson({
    request,
    schema,
  }).catch(withSchemaPath)
  const parts: readonly ModelPart[] = [
    { type: 'text', text },
    { type: 'end', finish, usage: cost },
  ]
  return { ...metadata, isRaw: false, parts: replay(parts), cost: Promise.resolve(cost) }
}

async function* replay(parts: readonly ModelPart[]): AsyncGenerator<ModelPart> {
  yield* parts
}

/** Sets the path of schema problems to the field of this API that contains the schema. */
function withSchemaPath(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'invalid_input') throw thrown
  throw new Failure(thrown.code, thrown, {
    problems: thrown.problems.map((problem) => ({ ...problem, path: 'text.format.schema' })),
    cause: thrown,
  })
}

interface KeeperOptions {
  readonly storedResponses: StoredResponses
  readonly accountId: string
  readonly response: Pick<ChatResponse, 'callId' | 'model'>
  readonly conversation: Conversation
}

/** Stores a response with its items. One that cannot be stored is still sent to the caller, with `store` false. */
function createKeeper(
  { body, log }: FastifyRequest<{ Body: ResponsesRequestBody }>,
  { storedResponses, accountId, response: { callId, model }, conversation }: KeeperOptions,
): KeepResponse {
  return async (whole) => {
    if (whole['store'] !== true) return whole
    const { output, ...response } = whole
    const stored = {
      id: `resp_${callId}`,
      previousId: body.previous_response_id ?? null,
      model,
      response,
      input: listedItems(conversation.own, callId),
      output,
    }
    const isStored = await storedResponses.save(accountId, stored).catch((error: unknown) => {
      log.error({ err: error }, 'a response could not be stored')
      return false
    })
    return isStored ? whole : { ...whole, store: false }
  }
}

interface SendOptions {
  readonly body: ResponsesRequestBody
  readonly response: Awaited<ReturnType<Gateway['chat']>>
  readonly tools: TranslatedTools
  readonly isStored: boolean
  readonly keep: KeepResponse
  readonly caller: Caller
  readonly options: Pick<GatewayRouteOptions, 'rules' | 'idempotency'>
}

async function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, response, tools, isStored, keep, caller, options: { rules, idempotency } }: SendOptions,
): Promise<void> {
  const own = ownFields(body, response.callId, isStored)
  const started = startedResponse(body, response, isStored)
  if (body.stream === true) {
    const { parts, writer } = response.isRaw
      ? relayEvents(response, own, keep)
      : writeEvents(response, started, { keep, tools })
    const recorder = idempotency.recordStream(request)
    const sent = { ...response, isRaw: true, parts }
    await sendStream(request, reply, { response: sent, writer, caller, rules, recorder })
    return
  }
  const whole = response.isRaw
    ? withOwnFields(parseResponse(await collectRaw(response)), own)
    : await collectOutput(response, started, tools)
  const text = JSON.stringify(await keep(whole))
  await reply.headers(responseHeaders(response)).type('application/json').send(text)
}

/** The provider has checked that it is an object. */
function parseResponse(bytes: Buffer): Omit<ResponseObject, 'output'> {
  return JSON.parse(bytes.toString('utf8')) as Omit<ResponseObject, 'output'>
}

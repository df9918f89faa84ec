import type { HttpServer } from '#kernel/http'
import { errorCodeOf, plainErrorMessages } from '../error-messages.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { callHeaders, textCallHeaders } from '../requests/call-headers.ts'
import { createRuntimeHandlers, type RuntimeHandlers } from './handlers.ts'
import {
  chatRequestSchema,
  cleanEmbedFields,
  cleanTextFields,
  embedRequestSchema,
  generateRequestSchema,
} from './request-schemas.ts'
import { chatResponse, embedResponse, generateResponse } from './response-schemas.ts'
import { chatCall, embedCall, generateCall } from './to-model-call.ts'
import { writeEmbeddings } from './write-response.ts'

/** The gateway in the format of the model runtime under `/api/v1`, where other gateways call it. */
export function addRuntimeRoutes(routes: HttpServer, options: GatewayRouteOptions): void {
  options.idempotency.watch(routes)
  addRuntimeCallRoutes(routes, options, {
    prefix: '/api/v1',
    operationIds: { generate: 'generate', chat: 'chat', embed: 'embed' },
    handlers: createRuntimeHandlers(options, (failure) => ({
      code: errorCodeOf(plainErrorMessages, failure),
      message: failure.message,
    })),
  })
}

interface RuntimeCallRoutes {
  readonly prefix: string
  readonly operationIds: Readonly<Record<'generate' | 'chat' | 'embed', string>>
  readonly handlers: RuntimeHandlers
}

/** The calls of the model runtime: clients of a node or the cluster can use them unchanged. */
export function addRuntimeCallRoutes(
  routes: HttpServer,
  { sessionHeader, ratePolicy, rules }: GatewayRouteOptions,
  { prefix, operationIds, handlers }: RuntimeCallRoutes,
): void {
  const config = { ...callConfig, ratePolicy }
  const bodyLimit = rules.bodyLimitBytes
  const description =
    'Generates a response in the format of the model runtime: lines of JSON, or one object with `"stream": false`. Nodes of the cluster get fields that are not described here as they are; for other models these are refused by name.'

  routes.post(
    `${prefix}/generate`,
    {
      config,
      bodyLimit,
      preValidation: cleanTextFields,
      schema: {
        operationId: operationIds.generate,
        summary: 'Generate a completion',
        description,
        headers: textCallHeaders(sessionHeader),
        body: generateRequestSchema,
        response: { 200: generateResponse },
      },
    },
    (request, reply) => handlers.respond(request, reply, generateCall(request.body)),
  )

  routes.post(
    `${prefix}/chat`,
    {
      config,
      bodyLimit,
      preValidation: cleanTextFields,
      schema: {
        operationId: operationIds.chat,
        summary: 'Generate a chat response',
        description,
        headers: textCallHeaders(sessionHeader),
        body: chatRequestSchema,
        response: { 200: chatResponse },
      },
    },
    (request, reply) => handlers.respond(request, reply, chatCall(request.body)),
  )

  routes.post(
    `${prefix}/embed`,
    {
      config,
      bodyLimit,
      preValidation: cleanEmbedFields,
      schema: {
        operationId: operationIds.embed,
        summary: 'Create embeddings',
        description: 'Returns one embedding for each input, in order, in the format of the model runtime.',
        headers: callHeaders(sessionHeader),
        body: embedRequestSchema,
        response: { 200: embedResponse },
      },
    },
    (request, reply) =>
      handlers.embed(request, reply, { call: embedCall(request.body), write: writeEmbeddings }),
  )
}

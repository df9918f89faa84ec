import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { textCallHeaders } from '../requests/call-headers.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readTextRequestContext } from '../requests/gateway-request.ts'
import { refuseUnsupportedFields } from '../requests/unsupported-fields.ts'
import { sendChat } from '../responses/send-chat.ts'
import { addCountTokensRoute, type CountTokensOptions } from './count-tokens-route.ts'
import { messagesCall, messagesRequestSchema, nativeMessagesFields } from './request.ts'
import { versionHeaders } from './version-headers.ts'
import { createMessageWriter, writeMessage } from './write-message.ts'

/** The Anthropic-compatible API under `/v1/messages`. */
export function addMessagesRoutes(
  routes: HttpServer,
  options: GatewayRouteOptions & CountTokensOptions,
): void {
  const { gateway, sessionHeader, idempotency, accountBudgetOf, ratePolicy, rules } = options
  idempotency.watch(routes)
  addCountTokensRoute(routes, options)

  routes.post(
    '/v1/messages',
    {
      config: { ...callConfig, ratePolicy },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: refuseUnsupportedFields({}),
      schema: {
        operationId: 'createMessage',
        summary: 'Create a message',
        description: 'Generates a response of any model in the format of the Anthropic API.',
        headers: textCallHeaders(sessionHeader),
        body: messagesRequestSchema,
        response: { 200: messageResponse },
      },
    },
    async (request, reply) => {
      const { body } = request
      const caller = watchCaller(request, reply)
      try {
        const stream = body.stream === true
        const response = await gateway.chat({
          ...readTextRequestContext(request, { caller, accountBudgetOf }),
          call: {
            ...messagesCall(body),
            ...readForwardedHeaders(request, options),
            original: {
              protocol: 'anthropic.messages',
              body,
              stream,
              headers: versionHeaders(request.headers),
              nativeFields: nativeMessagesFields(body),
            },
          },
        })
        await sendChat(request, reply, {
          response,
          stream,
          createWriter: () => createMessageWriter(response),
          writeWhole: (collected) => writeMessage(response, collected),
          caller,
          rules,
          idempotency,
        })
      } catch (thrown) {
        throw caller.explain(thrown)
      }
    },
  )
}

const messageResponse = {
  description: 'The message, or a stream of events.',
  content: {
    'application/json': {
      schema: Type.Object(
        {
          id: Type.String({ description: 'Ends with the id of the call, which is also in `X-Call-Id`.' }),
          type: Type.Literal('message'),
          role: Type.Literal('assistant'),
          model: Type.String({ description: 'The model that generated the response.' }),
          content: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }), {
            description: 'Blocks of the types `thinking`, `text` and `tool_use`.',
          }),
          stop_reason: Type.String({
            description: '`end_turn`, `max_tokens`, `tool_use` or `refusal`.',
          }),
          stop_sequence: Type.Null(),
          usage: Type.Object({
            input_tokens: Type.Integer(),
            cache_read_input_tokens: Type.Integer(),
            cache_creation_input_tokens: Type.Integer(),
            output_tokens: Type.Integer(),
          }),
        },
        { description: 'A message.' },
      ),
    },
    'text/event-stream': { schema: Type.String({ description: 'Server-sent events.' }) },
  },
}

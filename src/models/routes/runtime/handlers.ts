import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '#kernel/errors'
import { startStopwatch } from '#kernel/native-api'
import type { EmbedResponse } from '../../gateway/contract.ts'
import type { EmbedCall, ModelCall } from '../../providers/provider.ts'
import type { GatewayRouteOptions } from '../gateway-options.ts'
import { watchCaller } from '../requests/caller.ts'
import { readForwardedHeaders } from '../requests/forwarded-headers.ts'
import { readRequestContext, readTextRequestContext } from '../requests/gateway-request.ts'
import { responseHeaders } from '../responses/response-headers.ts'
import { sendChat } from '../responses/send-chat.ts'
import { createRuntimeWriter, writeWhole } from './write-response.ts'

/** Handles calls in the format of the model runtime. */
export interface RuntimeHandlers {
  respond(request: FastifyRequest, reply: FastifyReply, call: ModelCall): Promise<void>
  embed(request: FastifyRequest, reply: FastifyReply, options: EmbedOptions): Promise<void>
}

interface EmbedOptions {
  readonly call: EmbedCall
  /** The body of the response; `totalMs` is its duration. */
  readonly write: (response: EmbedResponse, totalMs: number) => unknown
}

/** Creates the handlers; `describeFailure` is the `error` of a stream that breaks. */
export function createRuntimeHandlers(
  options: GatewayRouteOptions,
  describeFailure: (failure: Failure) => unknown,
): RuntimeHandlers {
  const { gateway, idempotency, accountBudgetOf, rules } = options
  return {
    async respond(request, reply, call) {
      const stopwatch = startStopwatch()
      const caller = watchCaller(request, reply)
      try {
        const response = await gateway.chat({
          ...readTextRequestContext(request, { caller, accountBudgetOf }),
          call: { ...call, ...readForwardedHeaders(request, options) },
        })
        stopwatch.onFirstPart()
        const format = { kind: call.kind, response, stopwatch, describeFailure }
        await sendChat(request, reply, {
          response,
          stream: call.original?.stream === true,
          createWriter: () => createRuntimeWriter(format),
          writeWhole: (collected) => writeWhole(format, collected),
          caller,
          rules,
          idempotency,
        })
      } catch (thrown) {
        throw caller.explain(thrown)
      }
    },

    async embed(request, reply, { call, write }) {
      const stopwatch = startStopwatch()
      const caller = watchCaller(request, reply)
      try {
        const response = await gateway.embed({
          ...readRequestContext(request, { caller, accountBudgetOf }),
          call: { ...call, ...readForwardedHeaders(request, options) },
        })
        await reply
          .headers(responseHeaders(response))
          .type('application/json; charset=utf-8')
          .send(write(response, stopwatch.totalMs()))
      } catch (thrown) {
        throw caller.explain(thrown)
      }
    },
  }
}

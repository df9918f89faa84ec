import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Idempotency } from '#kernel/idempotency'
import type { ChatResponse } from '../../gateway/contract.ts'
import type { Caller } from '../requests/caller.ts'
import { type CollectedResponse, collectRaw, collectResponse } from './collect-response.ts'
import { responseHeaders } from './response-headers.ts'
import { type StreamRules, type StreamWriter, sendStream } from './send-stream.ts'

interface SendChatOptions {
  readonly response: ChatResponse
  readonly stream: boolean
  readonly createWriter: () => StreamWriter
  /** The body of a response without streaming, in the format of the API. */
  readonly writeWhole: (collected: CollectedResponse) => unknown
  readonly caller: Caller
  readonly rules: StreamRules
  readonly idempotency: Pick<Idempotency, 'recordStream'>
}

/** Sends a response in the format of an API: as a stream or whole; one that the provider sent in this format, unchanged. */
export async function sendChat(
  request: FastifyRequest,
  reply: FastifyReply,
  { response, stream, createWriter, writeWhole, caller, rules, idempotency }: SendChatOptions,
): Promise<void> {
  if (stream) {
    const recorder = idempotency.recordStream(request)
    await sendStream(request, reply, { response, writer: createWriter(), caller, rules, recorder })
    return
  }
  if (response.isRaw) {
    const body = await collectRaw(response)
    await reply.headers(responseHeaders(response)).type('application/json').send(body)
    return
  }
  const collected = await collectResponse(response)
  await reply.headers(responseHeaders(response)).send(writeWhole(collected))
}

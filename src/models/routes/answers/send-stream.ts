import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import type { StreamRecorder } from '#kernel/idempotency'
import type { ChatAnswer } from '../../gateway/contract.ts'
import type { Caller } from '../asked/caller.ts'
import { answerHeaders } from './answer-headers.ts'
import type { AnswerWriter } from './answer-writer.ts'

export interface StreamRules {
  /** Between two looks whether the caller may still read, with a sign of life where the format has one. */
  readonly heartbeatMs: number
  /** A caller who takes nothing for this long is taken for gone. */
  readonly mostIdleMs: number
}

interface SendStreamOptions {
  readonly answer: ChatAnswer
  readonly writer: AnswerWriter
  readonly caller: Caller
  readonly rules: StreamRules
  /** Collects the answer for a request that may be sent again; undefined without an `Idempotency-Key`. */
  readonly recorder: StreamRecorder | undefined
}

/**
 * Sends an answer part by part. The next part is asked for when the last one is on its way, so a slow reader holds the
 * provider back and not our memory.
 *
 * | meanwhile                         | then                                                          |
 * |-----------------------------------|---------------------------------------------------------------|
 * | the answer breaks off             | last words in the shape of the interface, and a proper end    |
 * | the server closes, and its time is up | the same; the provider's work ends                        |
 * | the caller may not read any more  | the same                                                      |
 * | the caller leaves, or stops reading | the connection is closed; the provider's work ends          |
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, writer, caller, rules, recorder }: SendStreamOptions,
): Promise<void> {
  const response = reply.raw
  reply.hijack()
  response.on('error', () => {})
  const beat = async () => {
    if (!(await request.server.stillAllows(request))) caller.end(kernelFailure('authentication_required'))
    else if (writer.heartbeat !== undefined && !isBusy(response)) response.write(writer.heartbeat)
  }
  const heartbeat = setInterval(() => void beat(), rules.heartbeatMs)
  try {
    const headers = {
      ...reply.getHeaders(),
      ...answerHeaders(answer),
      'content-type': writer.contentType,
      'x-accel-buffering': 'no',
    } as Record<string, string>
    response.writeHead(200, headers)
    let opening = writer.opening
    for await (const part of answer.parts) {
      const text = opening + writer.part(part)
      recorder?.add(text)
      await put(response, text, { signal: caller.signal, ...rules })
      opening = ''
    }
    // Before the end, so that a caller who has the whole answer gets the same one again.
    await recorder?.finish(headers)
    response.end()
  } catch (thrown) {
    if (caller.isGone() || response.destroyed) return
    const failure = caller.explain(thrown)
    tell(request, failure)
    // Without a head there is nothing that could be ended.
    if (response.headersSent) response.end(writer.breakOff(failure))
    else response.destroy()
  } finally {
    clearInterval(heartbeat)
    await recorder?.release()
  }
}

function isBusy(response: ServerResponse): boolean {
  return !response.headersSent || response.writableNeedDrain || response.writableEnded || response.destroyed
}

async function put(
  response: ServerResponse,
  text: string,
  { signal, mostIdleMs }: { readonly signal: AbortSignal; readonly mostIdleMs: number },
): Promise<void> {
  signal.throwIfAborted()
  if (text === '' || response.write(text)) return
  const idle = setTimeout(() => response.destroy(), mostIdleMs)
  try {
    await once(response, 'drain', { signal })
  } finally {
    clearTimeout(idle)
  }
}

function tell(request: FastifyRequest, failure: Failure): void {
  const { code, message, cause } = failure
  if (code === 'internal') request.log.error({ err: cause ?? failure }, message)
  else request.log.warn({ code }, `an answer broke off: ${message}`)
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import type { StreamRecorder } from '#kernel/idempotency'
import type { ChatResponse } from '../../gateway/contract.ts'
import type { ModelPart, TranslatedPart } from '../../providers/provider.ts'
import type { Caller } from '../requests/caller.ts'
import { responseHeaders } from './response-headers.ts'

/** Writes a streamed response in the format of an API. */
export interface StreamWriter {
  readonly contentType: string
  /** The text before the first part. */
  readonly opening: string
  /** The text of a part; that of the last part ends the response. */
  part(part: TranslatedPart): string
  /** The text that ends a response after a failure. */
  failure(failure: Failure): string
  /** A text that keeps an idle connection open; undefined when the format has none. */
  readonly heartbeat: string | undefined
}

export interface StreamRules {
  /** The interval of heartbeats, which also check the authorisation of the caller. */
  readonly heartbeatMs: number
  /** A caller who reads nothing for this long is disconnected. */
  readonly maxIdleMs: number
}

interface SendStreamOptions {
  readonly response: ChatResponse
  readonly writer: StreamWriter
  readonly caller: Caller
  readonly rules: StreamRules
  /** Records the response for its `Idempotency-Key`; undefined without one. */
  readonly recorder: StreamRecorder | undefined
}

/**
 * Streams a response to the caller. The next part is requested when the previous one is written, so a slow caller slows the
 * provider down instead of filling the memory.
 *
 * | event                                     | effect                                                        |
 * |-------------------------------------------|---------------------------------------------------------------|
 * | the response is cut off                   | an error in the format of the API, then a regular end         |
 * | the shutdown deadline of the server       | the same; the call is cancelled                               |
 * | the caller loses the authorisation        | the same                                                      |
 * | the caller disconnects, or stops reading  | the connection is closed; the call is cancelled               |
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { response, writer, caller, rules, recorder }: SendStreamOptions,
): Promise<void> {
  const raw = reply.raw
  reply.hijack()
  raw.on('error', () => {})
  const beat = async () => {
    if (!(await request.server.isStillAllowed(request))) caller.end(kernelFailure('authentication_required'))
    else if (writer.heartbeat !== undefined && !isBusy(raw)) raw.write(writer.heartbeat)
  }
  const textOf = (part: ModelPart) => {
    if (part.type === 'raw') return part.bytes
    return response.isRaw ? '' : writer.part(part)
  }
  const heartbeat = setInterval(() => void beat(), rules.heartbeatMs)
  try {
    const headers = {
      ...reply.getHeaders(),
      ...responseHeaders(response),
      'content-type': writer.contentType,
      'x-accel-buffering': 'no',
    } as Record<string, string>
    raw.writeHead(200, headers)
    let opening = response.isRaw ? '' : writer.opening
    for await (const part of response.parts) {
      const text = opening === '' ? textOf(part) : opening + String(textOf(part))
      opening = ''
      recorder?.add(text)
      await write(raw, text, { signal: caller.signal, ...rules })
    }
    // Before the end, so that a caller with the whole response gets the same response for a repeated request.
    await recorder?.finish(headers)
    raw.end()
  } catch (thrown) {
    if (caller.isDisconnected() || raw.destroyed) return
    const failure = caller.explain(thrown)
    logFailure(request, failure)
    // Without headers there is no response to end.
    if (raw.headersSent) raw.end(writer.failure(failure))
    else raw.destroy()
  } finally {
    clearInterval(heartbeat)
    await recorder?.release()
  }
}

function isBusy(response: ServerResponse): boolean {
  return !response.headersSent || response.writableNeedDrain || response.writableEnded || response.destroyed
}

async function write(
  response: ServerResponse,
  text: string | Buffer,
  { signal, maxIdleMs }: { readonly signal: AbortSignal; readonly maxIdleMs: number },
): Promise<void> {
  signal.throwIfAborted()
  if (text.length === 0 || response.write(text)) return
  const idle = setTimeout(() => response.destroy(), maxIdleMs)
  try {
    await once(response, 'drain', { signal })
  } finally {
    clearTimeout(idle)
  }
}

function logFailure(request: FastifyRequest, failure: Failure): void {
  const { code, message, cause } = failure
  if (code === 'internal') request.log.error({ err: cause ?? failure }, message)
  else request.log.warn({ code }, `a response was cut off: ${message}`)
}

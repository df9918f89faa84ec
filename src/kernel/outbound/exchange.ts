import { Client } from 'undici'
import { Failure } from '#kernel/errors'
import { connectPinned } from './connect-pinned.ts'
import type { Deadline } from './deadline.ts'
import { outboundFailure } from './errors.ts'
import type { PinnedTarget } from './pin-target.ts'
import type { RequestHeaders } from './request-headers.ts'

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly headers: RequestHeaders
  readonly body: string | Uint8Array | undefined
}

export interface WireBounds {
  readonly connectTimeoutMs: number
  readonly maxResponseBytes: number
  readonly certificates?: readonly string[]
}

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** An answer whose body is still to come. Reading the body to its end, or closing, closes the connection. */
export interface Exchange {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: AsyncIterable<Buffer>
  readonly close: () => void
}

const maxHeaderBytes = 16_384

/**
 * Sends one request over a connection of its own. Connections are never kept: the next request is looked up and checked
 * anew, so no check can outlive its moment and no two names can come to share a connection.
 */
export async function exchange(
  target: PinnedTarget,
  request: WireRequest,
  bounds: WireBounds,
  deadline: Deadline,
): Promise<Exchange> {
  const client = new Client(target.url.origin, {
    connect: connectPinned(target, {
      ...bounds,
      timeoutMs: bounds.connectTimeoutMs,
      signal: deadline.signal,
    }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    // The deadline bounds all of it together; these would only bound the pauses.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const close = (): void => void client.destroy().catch(() => {})
  deadline.signal.addEventListener('abort', close, { once: true })
  try {
    const answer = await client.request({
      path: target.url.pathname + target.url.search,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: deadline.signal,
      reset: true,
    })
    // Closing makes the body report an error, also when nobody reads it any more.
    answer.body.on('error', () => {})
    const declared = Number(answer.headers['content-length'])
    if (declared > bounds.maxResponseBytes && request.method !== 'HEAD') throw tooLarge(bounds)
    const body = readBody(answer.body, bounds, deadline, close)
    return { status: answer.statusCode, headers: answer.headers, body, close }
  } catch (error) {
    close()
    throw explainError(error, deadline)
  }
}

async function* readBody(
  chunks: AsyncIterable<Buffer>,
  bounds: WireBounds,
  deadline: Deadline,
  close: () => void,
): AsyncGenerator<Buffer, void> {
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > bounds.maxResponseBytes) throw tooLarge(bounds)
      yield chunk
    }
  } catch (error) {
    throw explainError(error, deadline)
  } finally {
    close()
  }
}

function tooLarge({ maxResponseBytes }: WireBounds) {
  return outboundFailure('outbound_too_large', {
    message: `The answer of the host is larger than ${maxResponseBytes} bytes.`,
    details: { maxResponseBytes },
  })
}

function explainError(error: unknown, deadline: Deadline): unknown {
  if (deadline.signal.aborted) return deadline.signal.reason
  if (error instanceof Failure) return error
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return outboundFailure('outbound_too_large', {
      message: 'The headers of the answer are too large.',
      cause: error,
    })
  }
  if (code === 'UND_ERR_INVALID_ARG') return outboundFailure('outbound_invalid_request', { cause: error })
  if (name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return outboundFailure('outbound_bad_response', { cause: error })
  }
  return outboundFailure('outbound_connection_lost', { cause: error })
}

import { Failure } from '#kernel/errors'
import { type Outbound, readRetryAfter } from '#kernel/outbound'

export interface ReceiverResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The first `maxBodyBytes`. */
  readonly body: string
}

export interface SendError {
  readonly code: string
  readonly message: string
}

/** The result of one attempt to send. */
export interface SendResult {
  readonly durationMs: number
  readonly response: ReceiverResponse | null
  /** Why there is no response. */
  readonly error: SendError | null
  /** False when the outbound guard refuses the request, which another attempt cannot change. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
}

export interface SendOptions {
  /** The owner of the webhook. */
  readonly account: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Enough to diagnose a failure, and little enough to be stored with each delivery. */
const maxBodyBytes = 4096

/** A long response must not fail a delivery: `readBeginning` stops after `maxBodyBytes` instead. */
const maxResponseBytes = Number.MAX_SAFE_INTEGER

const keptHeaders = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'x-request-id',
]

/** Failures of the outbound guard, which another attempt cannot change. */
const refusals = new Set(['outbound_refused', 'outbound_invalid_request'])

/** Makes one attempt. It throws when the signal aborts; every other failure is part of the result. */
export async function send(
  outbound: Outbound,
  { account, url, headers, body, timeoutMs, signal }: SendOptions,
): Promise<SendResult> {
  const startedAt = performance.now()
  const durationMs = () => performance.now() - startedAt
  try {
    await using response = await outbound.stream(url, {
      account,
      method: 'POST',
      headers,
      body,
      timeoutMs,
      maxResponseBytes,
      signal,
    })
    const text = await readBeginning(response.body)
    return {
      durationMs: durationMs(),
      response: { status: response.status, headers: keepHeaders(response.headers), body: text },
      error: null,
      retryable: true,
      retryAfterMs: readRetryAfter(response.headers['retry-after']),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    const { code, message } = error
    return {
      durationMs: durationMs(),
      response: null,
      error: { code, message },
      retryable: !refusals.has(code),
      retryAfterMs: undefined,
    }
  }
}

/** An error while reading is ignored, because the status alone decides about delivery. */
async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBodyBytes) break
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return Buffer.concat(kept).subarray(0, maxBodyBytes).toString('utf8')
}

function keepHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, [value].flat().join(', ').slice(0, 500)]]
    }),
  )
}

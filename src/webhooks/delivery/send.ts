import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import { readRetryAfter } from './retry-schedule.ts'

/** What came back from a receiver. */
export interface ReceiverAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Its beginning. */
  readonly body: string
}

export interface SendError {
  readonly code: string
  readonly message: string
}

export interface Sent {
  readonly durationMs: number
  readonly answer: ReceiverAnswer | null
  /** Why there is no answer. */
  readonly error: SendError | null
  /** False when trying again cannot help, because we would not send it. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
}

export interface SendOptions {
  /** Whose webhook it is. */
  readonly account: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Enough to see what a receiver says, and little enough to be kept for each delivery. */
const mostBodyBytes = 4096

/** How much there is of an answer is nobody's fault: it is read no further than that. */
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

/** Never again: it is our own rule that stands against it. */
const refusals = new Set(['outbound_refused', 'outbound_invalid_request'])

/** Makes one try. Only the signal makes it throw: everything else that can happen is told. */
export async function send(
  outbound: Outbound,
  { account, url, headers, body, timeoutMs, signal }: SendOptions,
): Promise<Sent> {
  const startedAt = performance.now()
  const durationMs = () => performance.now() - startedAt
  try {
    await using answer = await outbound.stream(url, {
      account,
      method: 'POST',
      headers,
      body,
      timeoutMs,
      maxResponseBytes,
      signal,
    })
    const text = await readBeginning(answer.body)
    return {
      durationMs: durationMs(),
      answer: { status: answer.status, headers: keepHeaders(answer.headers), body: text },
      error: null,
      retryable: true,
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], new Date()),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    const { code, message } = error
    return {
      durationMs: durationMs(),
      answer: null,
      error: { code, message },
      retryable: !refusals.has(code),
      retryAfterMs: undefined,
    }
  }
}

/** The status is what counts. A body that breaks off or never ends takes nothing back. */
async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes >= mostBodyBytes) break
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return Buffer.concat(kept).subarray(0, mostBodyBytes).toString('utf8')
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

import { explainConnectionError } from '../probing/failed-probe.ts'

/**
 * Why a node did not respond to a request.
 *
 * | kind      | what happened                                                        |
 * |-----------|----------------------------------------------------------------------|
 * | refused   | the connection was refused                                           |
 * | closed    | the connection broke, or could not be made                           |
 * | status    | it answered with 500, 502, 503, 504 or 508                           |
 * | lacks     | it says it does not have the model it listed                         |
 * | late      | it did not begin its response in time                                |
 * | stalled   | its response stopped for too long                                    |
 */
export interface FailedAttempt {
  readonly kind: 'refused' | 'closed' | 'status' | 'lacks' | 'late' | 'stalled'
  /** Completes "node … ". */
  readonly reason: string
}

/** Converts a connection error to a failed attempt. */
export function failedConnection(error: unknown): FailedAttempt {
  const { message, refused } = explainConnectionError(error)
  return refused
    ? { kind: 'refused', reason: 'refused the connection' }
    : { kind: 'closed', reason: `failed: ${message}` }
}

const maxQuoteLength = 300

/** The error response of a node in one line. */
export function failedStatus(status: number, body: Buffer): FailedAttempt {
  return { kind: 'status', reason: `answered with status ${status}${quote(body)}` }
}

function quote(body: Buffer): string {
  const text = readErrorText(body)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return text === '' ? '' : `: ${text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text}`
}

/** The message of an error body; empty when unknown. */
export function readErrorText(body: Buffer): string {
  try {
    const { error } = Object(JSON.parse(body.toString('utf8'))) as { readonly error?: unknown }
    if (typeof error === 'string') return error
    const { message } = Object(error) as { readonly message?: unknown }
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}

import { explainConnectionError } from '../probing/failed-probe.ts'

/**
 * Why a node did not respond to a request, and what the failure costs while no byte has reached the caller.
 *
 * | kind      | what happened                                                  | a retry | of the budget |
 * |-----------|----------------------------------------------------------------|---------|---------------|
 * | refused   | the connection was refused                                     | no      | no            |
 * | lacks     | the node says it does not have the model it listed             | no      | no            |
 * | closed    | the connection broke or could not be made, or a stream was cut | yes     | no            |
 * | unhealthy | the node became unhealthy before it began its response         | yes     | no            |
 * | status    | it answered with 500, 502, 503, 504 or 508                     | yes     | yes           |
 * | invalid   | it answered with a page of HTML, or with something but HTTP    | yes     | yes           |
 * | late      | it did not connect, or begin its response, in time             | yes     | yes           |
 * | stalled   | its response made no progress for too long                     | yes     | yes           |
 *
 * A retry counts against the maximum of the request, because a request that crashes its node must not crash every node. The budget
 * prevents that retries multiply the load of nodes that are slow or overloaded; a dead node has no load.
 */
export interface FailedAttempt {
  readonly kind: 'refused' | 'lacks' | 'closed' | 'unhealthy' | 'status' | 'invalid' | 'late' | 'stalled'
  /** Completes "node … ". */
  readonly reason: string
}

type Kind = FailedAttempt['kind']

/** The node never worked on the request. */
const withoutWork: ReadonlySet<Kind> = new Set<Kind>(['refused', 'lacks'])
const ofTheBudget: ReadonlySet<Kind> = new Set<Kind>(['status', 'invalid', 'late', 'stalled'])

/** Whether the next attempt counts against the maximum of retries. */
export function isRetry({ kind }: FailedAttempt): boolean {
  return !withoutWork.has(kind)
}

/** Whether the next attempt needs a share of the retry budget. */
export function needsBudget({ kind }: FailedAttempt): boolean {
  return ofTheBudget.has(kind)
}

/** The node closed its connection properly, but had not finished its answer. */
export const cutOff: FailedAttempt = { kind: 'closed', reason: 'ended its stream before the last event' }

/** Converts a connection error to a failed attempt. */
export function failedConnection(error: unknown): FailedAttempt {
  const { message, refused } = explainConnectionError(error)
  if (refused) return { kind: 'refused', reason: 'refused the connection' }
  const isLate = error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'
  return { kind: isLate ? 'late' : 'closed', reason: `failed: ${message}` }
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
    return findErrorText(JSON.parse(body.toString('utf8'))) ?? ''
  } catch {
    return ''
  }
}

/**
 * | runtime                       | error                                              |
 * |-------------------------------|----------------------------------------------------|
 * | native, TGI                   | `{error: "…"}`                                     |
 * | OpenAI-compatible             | `{error: {message}}`                               |
 * | earlier versions of vLLM      | `{object: "error", message}`                       |
 * | vLLM, SGLang: unknown paths   | `{detail: "…"}`                                    |
 */
export function findErrorText(body: unknown): string | undefined {
  const { error, object, message, detail } = Object(body) as Readonly<Record<string, unknown>>
  const { message: inner } = Object(error) as { readonly message?: unknown }
  return [error, inner, object === 'error' ? message : undefined, detail].find(
    (text) => typeof text === 'string',
  )
}

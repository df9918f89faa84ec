import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { Failure } from '#kernel/errors'
import type { Redact } from './redact-secrets.ts'

export interface Circumstances {
  /** The request that failed. */
  readonly phase: string
  readonly signal: AbortSignal
  /** The error of the program; undefined when unknown. */
  readonly problem: string | undefined
  readonly timeoutMs: number
  readonly redact: Redact
}

const maxErrorLength = 500

/** Why a request to a server failed, as a sentence for the administrator. */
export function explainFailure(error: unknown, circumstances: Circumstances): string {
  const sentence = circumstances.redact(sentenceFor(error, circumstances))
  return sentence.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, maxErrorLength)
}

function sentenceFor(error: unknown, { phase, signal, problem, timeoutMs }: Circumstances): string {
  if (error instanceof ProtocolError) return `The server returned an error for ${phase}: ${error.message}`
  if (isTimeout(error, signal)) {
    const silence = `No response to ${phase} within ${timeoutMs / 1000} s.`
    return problem === undefined ? silence : `${silence} ${problem}`
  }
  if (problem !== undefined) return problem
  const refused = failureIn(error)
  if (refused !== undefined) return refused.message
  if (error instanceof SdkHttpError && error.status !== undefined) return explainStatus(error.status, phase)
  if (error instanceof SdkError) return explainSdk(error, phase)
  if (error instanceof Error && error.name === 'UnauthorizedError') return explainStatus(401, phase)
  const reason = error instanceof Error ? `: ${error.message}` : '.'
  return `The response to ${phase} does not follow the protocol${reason}`
}

function isTimeout(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout
  return failureIn(error)?.code === 'outbound_timeout'
}

/** A refusal by the outbound guard is one of the causes. */
function failureIn(error: unknown): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Failure) return cause
  }
  return undefined
}

function explainStatus(status: number, phase: string): string {
  if (status === 401) return 'Authentication required (status 401): add a header with a credential.'
  if (status === 403) return 'Access denied (status 403): the credential lacks permission.'
  if (status === 404) return 'Not found (status 404): check the address.'
  if (status >= 300 && status < 400)
    return `The server redirects (status ${status}): use the address it redirects to.`
  return `The server answered ${phase} with status ${status}.`
}

function explainSdk(error: SdkError, phase: string): string {
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
      return `The server closed the connection before it answered ${phase}.`
    case SdkErrorCode.ListPaginationExceeded:
      return 'The list of tools has too many pages.'
    case SdkErrorCode.InvalidResult:
      return `The response to ${phase} is not valid: ${error.message}`
    default:
      return `The response to ${phase} does not follow the protocol: ${error.message}`
  }
}

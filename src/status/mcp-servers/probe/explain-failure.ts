import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { Failure } from '#kernel/errors'
import type { Hide } from './hide-secrets.ts'

interface Circumstances {
  /** The question that was not answered well. */
  readonly phase: string
  readonly signal: AbortSignal
  /** What is known of a program that did not do what it should. */
  readonly complaint: string | undefined
  readonly timeoutMs: number
  readonly hide: Hide
}

const longest = 500

/** Why a server is not well, in a sentence for whoever looks after it. */
export function explainFailure(error: unknown, circumstances: Circumstances): string {
  const sentence = circumstances.hide(sentenceFor(error, circumstances))
  return sentence.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, longest)
}

function sentenceFor(error: unknown, { phase, signal, complaint, timeoutMs }: Circumstances): string {
  if (error instanceof ProtocolError) return `It answered ${phase} with an error: ${error.message}`
  if (isTimeout(error, signal)) {
    const silence = `It did not answer ${phase} within ${timeoutMs / 1000} s.`
    return complaint === undefined ? silence : `${silence} ${complaint}`
  }
  if (complaint !== undefined) return complaint
  const refused = failureIn(error)
  if (refused !== undefined) return refused.message
  if (error instanceof SdkHttpError && error.status !== undefined) return explainStatus(error.status, phase)
  if (error instanceof SdkError) return explainSdk(error, phase)
  if (error instanceof Error && error.name === 'UnauthorizedError') return explainStatus(401, phase)
  const told = error instanceof Error ? `: ${error.message}` : '.'
  return `Its answer to ${phase} is not one of the protocol${told}`
}

function isTimeout(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout
  return failureIn(error)?.code === 'outbound_timeout'
}

/** What our own guard says stands somewhere in the causes. */
function failureIn(error: unknown): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Failure) return cause
  }
  return undefined
}

function explainStatus(status: number, phase: string): string {
  if (status === 401) return 'It wants to know who asks (status 401): give it a header with a credential.'
  if (status === 403) return 'It refuses us (status 403): the credential does not reach that far.'
  if (status === 404) return 'There is nothing at this address (status 404).'
  if (status >= 300 && status < 400) return `It leads elsewhere (status ${status}): use that address.`
  return `It answered ${phase} with status ${status}.`
}

function explainSdk(error: SdkError, phase: string): string {
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
      return `It ended the connection before it had answered ${phase}.`
    case SdkErrorCode.ListPaginationExceeded:
      return 'Its list of tools has no end.'
    case SdkErrorCode.InvalidResult:
      return `Its answer to ${phase} is not valid: ${error.message}`
    default:
      return `Its answer to ${phase} is not one of the protocol: ${error.message}`
  }
}

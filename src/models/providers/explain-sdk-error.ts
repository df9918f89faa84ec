import type { APICallError } from '@ai-sdk/provider'
import { readErrorBody } from './error-body.ts'
import { ProviderFailure } from './provider-failure.ts'
import { readRetryAfter } from './retry-after.ts'
import { failureOfStatus } from './status-failure.ts'
import { tellable } from './tellable.ts'

export interface ExplainOptions {
  readonly who: string
  readonly key: string | undefined
}

/** Puts whatever the SDK throws, or hands over as an error of the stream, into our words. */
export async function explainSdkError(error: unknown, options: ExplainOptions): Promise<ProviderFailure> {
  const ours = causesOf(error).find((cause) => cause instanceof ProviderFailure)
  if (ours !== undefined) return ours
  const { who } = options
  const sdk = await import('@ai-sdk/provider')
  if (sdk.APICallError.isInstance(error)) return explainCall(error, options)
  if (
    sdk.UnsupportedFunctionalityError.isInstance(error) ||
    sdk.TooManyEmbeddingValuesForCallError.isInstance(error)
  ) {
    const message = `${who} cannot do what was asked: ${tellable(error.message)}`
    return new ProviderFailure({ kind: 'unsupported', message, cause: error })
  }
  const frame = readErrorFrame(error)
  return frame === undefined ? garbled(who, error) : failureOfStatus({ ...options, ...frame, cause: error })
}

function explainCall(error: APICallError, options: ExplainOptions): ProviderFailure {
  const { statusCode: status, responseHeaders = {}, data } = error
  const { who } = options
  if (status === undefined || status < 300) {
    const lost = causesOf(error).find(isOfConnection)
    if (status !== undefined && lost === undefined) return garbled(who, error)
    const message =
      status === undefined
        ? `${who} cannot be reached${lost === undefined ? '' : ` (${lost.code})`}.`
        : `${who} closed the connection in the middle of the answer.`
    return new ProviderFailure({ kind: 'unavailable', message, cause: error })
  }
  return failureOfStatus({
    ...options,
    ...readErrorBody(data),
    status,
    retryAfterSeconds: readRetryAfter(responseHeaders['retry-after']),
    cause: error,
  })
}

function garbled(who: string, cause: unknown): ProviderFailure {
  const message = `${who} sent something that is not an answer.`
  return new ProviderFailure({ kind: 'malformed', message, cause })
}

/** An error in the middle of a stream: the SDK found out which status it would have had. */
function readErrorFrame(error: unknown) {
  if (typeof error !== 'object' || error === null || error instanceof Error) return undefined
  const told = readErrorBody(error)
  if (told.said === undefined) return undefined
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return { ...told, status, retryAfterSeconds: undefined }
}

/** The error and what caused it, at most a few deep: causes may go round in a circle. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  let next = error
  while (next !== undefined && causes.length < 8) {
    causes.push(next)
    next = next instanceof Error ? next.cause : undefined
  }
  return causes
}

function isOfConnection(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

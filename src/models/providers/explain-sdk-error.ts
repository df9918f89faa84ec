import type { APICallError } from '@ai-sdk/provider'
import { readErrorBody } from './error-body.ts'
import { ProviderFailure } from './provider-failure.ts'
import { readRetryAfter } from './retry-after.ts'
import { toSafeMessage } from './safe-message.ts'
import { failureOfStatus } from './status-failure.ts'

export interface ExplainOptions {
  readonly label: string
  readonly key: string | undefined
}

/** Converts an error that the SDK throws, or reports in the stream, to a ProviderFailure. */
export async function explainSdkError(error: unknown, options: ExplainOptions): Promise<ProviderFailure> {
  const ours = causesOf(error).find((cause) => cause instanceof ProviderFailure)
  if (ours !== undefined) return ours
  const { label } = options
  const sdk = await import('@ai-sdk/provider')
  if (sdk.APICallError.isInstance(error)) return explainCall(error, options)
  if (
    sdk.UnsupportedFunctionalityError.isInstance(error) ||
    sdk.TooManyEmbeddingValuesForCallError.isInstance(error)
  ) {
    const message = `${label} does not support this request: ${toSafeMessage(error.message)}`
    return new ProviderFailure({ kind: 'unsupported', message, cause: error })
  }
  const frame = readErrorFrame(error)
  return frame === undefined
    ? malformedResponse(label, error)
    : failureOfStatus({ ...options, ...frame, cause: error })
}

function explainCall(error: APICallError, options: ExplainOptions): ProviderFailure {
  const { statusCode: status, responseHeaders = {}, data } = error
  const { label } = options
  if (status === undefined || status < 300) {
    const connectionError = causesOf(error).find(isConnectionError)
    if (status !== undefined && connectionError === undefined) return malformedResponse(label, error)
    const message =
      status === undefined
        ? `${label} cannot be reached${connectionError === undefined ? '' : ` (${connectionError.code})`}.`
        : `${label} closed the connection in the middle of the response.`
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

function malformedResponse(label: string, cause: unknown): ProviderFailure {
  const message = `${label} sent an invalid response.`
  return new ProviderFailure({ kind: 'malformed', message, cause })
}

/** An error in the middle of a stream, with the status that the SDK derived for it. */
function readErrorFrame(error: unknown) {
  if (typeof error !== 'object' || error === null || error instanceof Error) return undefined
  const body = readErrorBody(error)
  if (body.providerMessage === undefined) return undefined
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return { ...body, status, retryAfterSeconds: undefined }
}

/** The error and its causes, bounded because causes may form a cycle. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  let next = error
  while (next !== undefined && causes.length < 8) {
    causes.push(next)
    next = next instanceof Error ? next.cause : undefined
  }
  return causes
}

function isConnectionError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

import type { ErrorObject } from 'ajv'
import { Failure, kernelFailure } from '#kernel/errors'
import { describeInvalidInput } from './validation.ts'

interface FastifyLikeError extends Error {
  readonly code?: string
  readonly statusCode?: number
  readonly validation?: readonly ErrorObject[]
  readonly validationContext?: string
}

/** Turns a thrown value into a `Failure`. Unexpected errors become `internal`, and their message goes only to the log. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  if (!(thrown instanceof Error)) return kernelFailure('internal', { cause: thrown })
  const error = thrown as FastifyLikeError
  if (error.validation) return describeInvalidInput(error.validation, error.validationContext)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return kernelFailure('body_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return kernelFailure('unsupported_media_type', {
        message: 'This content type is not accepted here; send application/json.',
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return kernelFailure('malformed_body', {
        message: 'The length of the body differs from Content-Length.',
      })
    case 'FST_ERR_BAD_URL':
      return kernelFailure('invalid_input', { message: 'The address is not a valid URL.' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ROUTE_MISSING_HANDLER':
      return kernelFailure('not_found')
  }
  // Other client errors of the framework, such as a path outside the folder of files.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return kernelFailure('invalid_input', { cause: error })
  }
  return kernelFailure('internal', { cause: error })
}

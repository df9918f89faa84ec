import type { ErrorObject } from 'ajv'
import { Failure, kernelFailure } from '#kernel/errors'
import { describeInvalidInput } from './validation.ts'

interface FastifyLikeError extends Error {
  readonly code?: string
  readonly statusCode?: number
  readonly validation?: readonly ErrorObject[]
  readonly validationContext?: string
}

/** Turns whatever was thrown into a Failure. What we did not foresee is `internal`, and its text stays in the log. */
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
      return kernelFailure('malformed_body', { message: 'The body is not as long as Content-Length says.' })
    case 'FST_ERR_BAD_URL':
      return kernelFailure('invalid_input', { message: 'The address is not a valid URL.' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ROUTE_MISSING_HANDLER':
      return kernelFailure('not_found')
  }
  // Other mistakes the framework itself blames on the caller, such as a path that leads out of the folder of files.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return kernelFailure('invalid_input', { cause: error })
  }
  return kernelFailure('internal', { cause: error })
}

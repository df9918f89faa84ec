import { defineFailures } from './failure.ts'

/** Failures that any API can respond with. Each API maps these codes to its own. */
export const kernelFailureTable = {
  malformed_body: { status: 400, message: 'The request body could not be read.' },
  invalid_input: { status: 400, message: 'The request is not valid.' },
  authentication_required: { status: 401, message: 'Sign in, or send an API key or token.' },
  permission_denied: { status: 403, message: 'You may not do this.' },
  insufficient_scope: { status: 403, message: 'This credential lacks the required scope.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed for this path.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.', retryable: true },
  conflict: { status: 409, message: 'This conflicts with the current state.' },
  body_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'This content type is not accepted here.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  too_many_requests: {
    status: 429,
    message: 'Too many requests. Wait before trying again.',
    retryable: true,
  },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  overloaded: { status: 503, message: 'The server is at its limit. Try again shortly.', retryable: true },
  database_unavailable: {
    status: 503,
    message: 'The database is unavailable. Try again shortly.',
    retryable: true,
  },
  shutting_down: { status: 503, message: 'The server is stopping. Try again shortly.', retryable: true },
} as const

export type KernelFailureCode = keyof typeof kernelFailureTable

export const kernelFailure = defineFailures(kernelFailureTable)

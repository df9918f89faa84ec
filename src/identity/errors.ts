import { defineFailures, type Failure, kernelFailure } from '#kernel/errors'

/**
 * The authentication failures of the platform, besides the kernel's own. Every HTTP API can meet them while it
 * authenticates a request, so every API maps each code of this table to one of its own.
 */
export const identityFailureTable = {
  invalid_credentials: { status: 401, message: 'The username or password is wrong.' },
  token_expired: {
    status: 401,
    message: 'This access token has expired. Get a new one with its refresh token.',
  },
  invalid_token: { status: 401, message: 'This access token is not valid.' },
  invalid_api_key: { status: 401, message: 'This API key is not valid.' },
  invalid_csrf_token: {
    status: 403,
    message: 'Send the CSRF token of your session in X-CSRF-Token; GET /session/token returns it.',
  },
  cross_site_request: { status: 403, message: 'This form was sent from another site.' },
} as const

export type IdentityFailureCode = keyof typeof identityFailureTable

export const identityFailure = defineFailures(identityFailureTable)

/** A well-formed field with a value that is not allowed. `message` continues the sentence that the field name begins. */
export function invalidField(path: string, message: string, code: string): Failure {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
  })
}

/** A field whose value must be unique and already exists. */
export function takenField(path: string, message: string): Failure {
  return kernelFailure('conflict', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'taken' }],
  })
}

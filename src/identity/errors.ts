import { type Failure, failuresOf, kernelFailure } from '#kernel/errors'

/**
 * Everything that can go wrong with a credential, beyond the kernel's own failures. Any interface may meet these while it
 * finds out who is asking, so each has a word for every code of this table.
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
    message: 'Send the token of your session in X-CSRF-Token; GET /session/token returns it.',
  },
  cross_site_request: { status: 403, message: 'This form was sent from another site.' },
} as const

export type IdentityFailureCode = keyof typeof identityFailureTable

export const identityFailure = failuresOf(identityFailureTable)

/** One field that is well formed and still cannot be; the message goes on where the name of the field ends. */
export function invalidField(path: string, message: string, code: string): Failure {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
  })
}

/** A field that must be the only one of its kind, and is not. */
export function takenField(path: string, message: string): Failure {
  return kernelFailure('conflict', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'taken' }],
  })
}

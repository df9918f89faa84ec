import { failuresOf } from '#kernel/errors'

/**
 * Everything that can go wrong with a credential, beyond the kernel's own failures. Any interface may meet these while it
 * finds out who is asking, so each has a word for every code of this table.
 */
export const identityFailureTable = {
  invalid_credentials: { status: 401, message: 'The username or password is wrong.' },
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

import { defineFailures } from '#kernel/errors'

/** The error codes of RFC 6749 for the token, introspection and revocation endpoints. */
const oauthFailureTable = {
  invalid_request: { status: 400, message: 'The request is incomplete or malformed.' },
  invalid_client: { status: 401, message: 'The client is unknown or its secret is wrong.' },
  invalid_scope: { status: 400, message: 'A scope is unknown, or this client is not registered for it.' },
  unauthorized_client: { status: 400, message: 'This client is not allowed to make this request.' },
  unsupported_grant_type: { status: 400, message: 'This grant type is not supported.' },
} as const

export const oauthFailure = defineFailures(oauthFailureTable)

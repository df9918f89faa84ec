import { failuresOf } from '#kernel/errors'

/** What the token endpoint and its neighbours refuse, in the words of RFC 6749. */
const oauthFailureTable = {
  invalid_request: { status: 400, message: 'The request is not complete, or not as it should be.' },
  invalid_client: { status: 401, message: 'The client is unknown, or this is not its secret.' },
  invalid_scope: { status: 400, message: 'A scope is unknown, or this client is not registered for it.' },
  unauthorized_client: { status: 400, message: 'This client may not do this.' },
  unsupported_grant_type: { status: 400, message: 'This grant type is not known here.' },
} as const

export const oauthFailure = failuresOf(oauthFailureTable)

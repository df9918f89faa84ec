import { defineFailures } from '#kernel/errors'

/** The errors of secrets and connections, by code. */
export const connectionsFailureTable = {
  secret_not_found: { status: 404, message: 'There is no secret with this name, or it is not yours.' },
  connection_not_found: {
    status: 404,
    message: 'There is no connection with this name, or it is not yours.',
  },
  token_request_failed: {
    status: 502,
    message: 'The token endpoint did not return an access token.',
  },
  token_request_failed_for_now: {
    status: 502,
    message: 'The token endpoint is unavailable.',
    retryable: true,
  },
} as const

export const connectionsFailure = defineFailures(connectionsFailureTable)

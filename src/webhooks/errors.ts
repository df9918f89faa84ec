import { failuresOf } from '#kernel/errors'

/** Everything that can be wrong about webhooks. */
export const webhooksFailureTable = {
  webhook_not_found: { status: 404, message: 'There is no webhook with this id, or it is not yours.' },
  delivery_not_found: { status: 404, message: 'This webhook has no delivery with this id.' },
  verification_invalid: {
    status: 404,
    message: 'This does not verify any webhook: the token is wrong, was used, or a newer one was asked for.',
  },
  verification_expired: {
    status: 422,
    message: 'The token has expired. Ask for a new one.',
  },
  webhook_not_active: { status: 409, message: 'The webhook is not active, so nothing can be sent to it.' },
  webhook_is_verified: { status: 409, message: 'The webhook is verified already.' },
  too_many_webhooks: { status: 409, message: 'This account has as many webhooks as it may.' },
  webhook_url_refused: { status: 422, message: 'Webhooks cannot be sent to this address.' },
} as const

export const webhooksFailure = failuresOf(webhooksFailureTable)

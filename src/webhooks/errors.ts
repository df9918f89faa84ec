import { defineFailures } from '#kernel/errors'

/** The errors of the webhooks API, by code. */
export const webhooksFailureTable = {
  webhook_not_found: { status: 404, message: 'There is no webhook with this id, or it is not yours.' },
  delivery_not_found: { status: 404, message: 'This webhook has no delivery with this id.' },
  verification_invalid: {
    status: 404,
    message: 'The verification token is invalid: it is wrong, was used, or was replaced by a newer one.',
  },
  verification_expired: {
    status: 422,
    message: 'The verification token has expired. Request a new one.',
  },
  webhook_not_active: { status: 409, message: 'The webhook is not active, so nothing can be sent to it.' },
  webhook_is_verified: { status: 409, message: 'The webhook is already verified.' },
  too_many_webhooks: {
    status: 409,
    message: 'This account has reached its limit of webhooks. Delete one first.',
  },
  webhook_url_refused: { status: 422, message: 'Webhooks cannot be sent to this address.' },
} as const

export const webhooksFailure = defineFailures(webhooksFailureTable)

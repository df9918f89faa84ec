import { defineFailures } from '#kernel/errors'

/** The errors of this module, by code. */
const notificationsFailureTable = {
  notifications_not_configured: {
    status: 409,
    message:
      'This kind of notification is not configured. Set the mail server and the sender, or the Slack webhook, first.',
  },
} as const

export const notificationsFailure = defineFailures(notificationsFailureTable)

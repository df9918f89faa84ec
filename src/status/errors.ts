import { defineFailures } from '#kernel/errors'

/** The errors of this module. */
const statusFailureTable = {
  status_page_off: {
    status: 404,
    message: 'The status page is off. Administrators turn it on under Settings › Status page.',
  },
  status_type_not_found: { status: 404, message: 'Unknown status type.' },
} as const

export const statusFailure = defineFailures(statusFailureTable)

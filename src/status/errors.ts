import { defineFailures } from '#kernel/errors'

/** The errors of this module. */
const statusFailureTable = {
  status_type_not_found: { status: 404, message: 'Unknown status type.' },
} as const

export const statusFailure = defineFailures(statusFailureTable)

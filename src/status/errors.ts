import { defineFailures } from '#kernel/errors'

/** What can go wrong here. */
const statusFailureTable = {
  status_type_not_found: { status: 404, message: 'There is no such type of status.' },
} as const

export const statusFailure = defineFailures(statusFailureTable)

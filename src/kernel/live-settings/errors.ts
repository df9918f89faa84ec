import { defineFailures } from '#kernel/errors'

/** The errors of changing settings, by code. */
const liveSettingsFailureTable = {
  set_by_environment: {
    status: 409,
    message: 'The environment sets this setting. Change or remove the variable there, and restart.',
  },
} as const

export const liveSettingsFailure = defineFailures(liveSettingsFailureTable)

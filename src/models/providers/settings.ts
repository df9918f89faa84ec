import { defineSettings, setting } from '#kernel/config'

/** Timeouts of responses of all providers. */
export const timeoutSettings = defineSettings({
  firstPartMs: setting.durationMs('MODEL_FIRST_PART_TIMEOUT', {
    about: 'Timeout for the first part of a response; loading a large model or reasoning can take minutes',
    default: 600_000,
    min: 1,
  }),
  stallMs: setting.durationMs('MODEL_STALL_TIMEOUT', {
    about: 'Timeout between two chunks of a response',
    default: 120_000,
    min: 1,
  }),
})

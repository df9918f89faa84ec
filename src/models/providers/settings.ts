import { defineSettings, setting } from '#kernel/config'

/** How long models may take, whoever runs them. */
export const patienceSettings = defineSettings({
  firstPartMs: setting.durationMs('MODEL_FIRST_PART_TIMEOUT', {
    about:
      'How long a provider may take to begin an answer; loading a large model, or thinking, takes minutes',
    default: 600_000,
    min: 1,
  }),
  stallMs: setting.durationMs('MODEL_STALL_TIMEOUT', {
    about: 'How long an answer of a provider may stand still',
    default: 120_000,
    min: 1,
  }),
})

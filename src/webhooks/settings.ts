import { defineSettings, type SettingsOf, setting } from '#kernel/config'

const dayMs = 86_400_000

/** The environment of webhooks. */
export const webhooksSettings = defineSettings({
  concurrency: setting.integer('TUTTI_WEBHOOK_CONCURRENCY', {
    about: 'Webhook deliveries that one process has under way at the same time',
    default: 50,
    min: 1,
    max: 1000,
  }),
  retentionMs: setting.durationMs('TUTTI_WEBHOOK_RETENTION', {
    about: 'How long webhook deliveries are kept after they arrived or were given up',
    default: 30 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
  disableAfterMs: setting.durationMs('TUTTI_WEBHOOK_DISABLE_AFTER', {
    about: 'A webhook that nothing reached for this long is disabled',
    default: 5 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
})

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>

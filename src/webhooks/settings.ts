import { defineSettings, type SettingsOf, setting } from '#kernel/config'

const dayMs = 86_400_000

/** The environment variables of the webhooks module. */
export const webhooksSettings = defineSettings({
  concurrency: setting.integer('TUTTI_WEBHOOK_CONCURRENCY', {
    about: 'Concurrent webhook deliveries of one process',
    default: 50,
    min: 1,
    max: 1000,
  }),
  retentionMs: setting.durationMs('TUTTI_WEBHOOK_RETENTION', {
    editable: { section: 'retention', label: 'Webhook deliveries' },
    about: 'How long webhook deliveries are kept after they were delivered or given up',
    default: 30 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
  disableAfterMs: setting.durationMs('TUTTI_WEBHOOK_DISABLE_AFTER', {
    editable: { section: 'notifications', label: 'Disable failing webhooks after' },
    about: 'Disables a webhook after every delivery has failed for this long',
    default: 5 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
})

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>

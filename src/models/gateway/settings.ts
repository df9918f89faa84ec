import { defineSettings, setting } from '#kernel/config'

const day = 86_400_000

/** The environment of the gateway: which model answers by default, what is remembered, what is kept. */
export const gatewaySettings = defineSettings({
  defaultModel: setting.text('TUTTI_DEFAULT_MODEL', {
    about: 'Model that `auto` stands for; without it the best one there is, the cluster first',
    optional: true,
  }),
  openaiDefaultModel: setting.text('OPENAI_DEFAULT_MODEL', {
    about: 'Model of openai that `auto` and fallbacks may use; without it, none',
    optional: true,
  }),
  anthropicDefaultModel: setting.text('ANTHROPIC_DEFAULT_MODEL', {
    about: 'Model of anthropic that `auto` and fallbacks may use; without it, none',
    optional: true,
  }),
  cacheBytes: setting.integer('MODEL_CACHE_SIZE', {
    about: 'Bytes of memory for answers to deterministic calls; 0 remembers none',
    default: 64 * 1024 * 1024,
  }),
  cacheTtlMs: setting.durationMs('MODEL_CACHE_TTL', {
    about: 'How long such an answer is remembered',
    default: 3_600_000,
  }),
  callRetentionMs: setting.durationMs('MODEL_CALL_RETENTION', {
    about: 'How long single calls of models are kept; their totals by day stay',
    default: 90 * day,
    max: 36_500 * day,
  }),
})

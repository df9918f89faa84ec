import { defineSettings, setting } from '#kernel/config'

const day = 86_400_000

/** Settings of the gateway: default models, response cache, retention of calls. */
export const gatewaySettings = defineSettings({
  defaultModel: setting.text('TUTTI_DEFAULT_MODEL', {
    about:
      'Model that `auto` stands for; if unset, the first available model of the default chain, which starts with the cluster',
    optional: true,
  }),
  openaiDefaultModel: setting.text('OPENAI_DEFAULT_MODEL', {
    about: 'OpenAI model that `auto` and fallbacks may use; none if unset',
    optional: true,
  }),
  anthropicDefaultModel: setting.text('ANTHROPIC_DEFAULT_MODEL', {
    about: 'Anthropic model that `auto` and fallbacks may use; none if unset',
    optional: true,
  }),
  cacheBytes: setting.integer('MODEL_CACHE_SIZE', {
    about: 'Size of the response cache for deterministic calls in bytes; 0 turns it off',
    default: 64 * 1024 * 1024,
  }),
  cacheTtlMs: setting.durationMs('MODEL_CACHE_TTL', {
    about: 'Time to live of a cached response',
    default: 3_600_000,
  }),
  callRetentionMs: setting.durationMs('MODEL_CALL_RETENTION', {
    about: 'How long records of single model calls are kept; daily totals are kept for good',
    default: 90 * day,
    max: 36_500 * day,
  }),
})

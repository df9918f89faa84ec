import { defineSettings, setting } from '#kernel/config'

/** Settings of the gateway routes. */
export const gatewayRouteSettings = defineSettings({
  bodyLimitBytes: setting.integer('MODEL_BODY_LIMIT', {
    about: 'Maximum size of the body of a model call in bytes; images may need more',
    default: 1_048_576,
    min: 1024,
    max: 268_435_456,
  }),
  maxIdleMs: setting.durationMs('MODEL_READER_TIMEOUT', {
    about: 'How long a caller of a stream may read nothing before the connection is closed',
    default: 120_000,
    min: 1,
  }),
})

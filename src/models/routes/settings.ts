import { defineSettings, setting } from '#kernel/config'

/** The environment of the routes to models. */
export const gatewayRouteSettings = defineSettings({
  bodyLimitBytes: setting.integer('MODEL_BODY_LIMIT', {
    about: 'Largest body of a call to a model in bytes; pictures for a model may need more',
    default: 1_048_576,
    min: 1024,
    max: 268_435_456,
  }),
  mostIdleMs: setting.durationMs('MODEL_READER_TIMEOUT', {
    about: 'How long a caller may take nothing of a streamed answer before the connection is closed',
    default: 120_000,
    min: 1,
  }),
})

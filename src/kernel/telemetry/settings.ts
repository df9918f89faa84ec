import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The environment of logs and traces. */
export const telemetrySettings = defineSettings({
  logLevel: setting.choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    about: 'Least severe level that is logged',
    default: 'info',
  }),
  logFormat: setting.choice('LOG_FORMAT', ['auto', 'json', 'pretty'], {
    about: 'How a log line looks; auto is pretty on a terminal and JSON everywhere else',
    default: 'auto',
  }),
  otlpEndpoint: setting.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], {
    about: 'Base address of an OpenTelemetry collector; traces are sent to its /v1/traces',
    optional: true,
  }),
  serviceName: setting.text('OTEL_SERVICE_NAME', {
    about: 'Name of this service in traces',
    default: 'tutti',
  }),
})

export type TelemetrySettings = SettingsOf<typeof telemetrySettings>

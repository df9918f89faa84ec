import { defineSettings, setting } from '#kernel/config'

/** Environment variables of logs and traces. */
export const telemetrySettings = defineSettings({
  logLevel: setting.choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    about: 'Minimum log level',
    default: 'info',
  }),
  logFormat: setting.choice('LOG_FORMAT', ['auto', 'json', 'pretty'], {
    about: 'Log format; auto is pretty on a terminal and JSON everywhere else',
    default: 'auto',
  }),
  otlpEndpoint: setting.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], {
    about: 'Base URL of an OpenTelemetry collector; traces are sent to its /v1/traces',
    optional: true,
  }),
  serviceName: setting.text('OTEL_SERVICE_NAME', {
    about: 'Name of this service in traces',
    default: 'tutti',
  }),
})

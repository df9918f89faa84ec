import { defineSettings, refineSetting, setting } from '#kernel/config'

/** Environment variables of logs, metrics and traces. */
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
    about:
      'Base URL of an OpenTelemetry collector; traces are sent to its /v1/traces, metrics to its /v1/metrics',
    optional: true,
  }),
  otlpHeaders: refineSetting(
    setting.secretText('OTEL_EXPORTER_OTLP_HEADERS', {
      about:
        'Headers of requests to the collector, such as `x-api-key=secret,x-tenant=one`, with values URL-encoded',
      optional: true,
    }),
    readHeaders,
  ),
  metricsExporter: setting.choice('OTEL_METRICS_EXPORTER', ['otlp', 'none'], {
    about: 'Whether metrics are sent to the collector; none for a collector that accepts only traces',
    default: 'otlp',
  }),
  metricExportIntervalMs: setting.durationMs('OTEL_METRIC_EXPORT_INTERVAL', {
    about:
      'Time between two exports of the metrics to the collector; a number without unit is in milliseconds',
    default: 60_000,
    min: 100,
  }),
  serviceName: setting.text('OTEL_SERVICE_NAME', {
    about: 'Name of this service in traces and metrics sent to the collector',
    default: 'tutti',
  }),
})

/** Reads `name=value` pairs like the exporter of traces, which ignores empty values and the text after a semicolon. */
function readHeaders(text: string | undefined): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  try {
    for (const pair of (text ?? '').split(',')) {
      const entry = (pair.split(';')[0] ?? '').trim()
      if (entry === '') continue
      const separator = entry.indexOf('=')
      if (separator === -1) throw new Error('a header has no value')
      const name = decodeURIComponent(entry.slice(0, separator).trim())
      const value = decodeURIComponent(entry.slice(separator + 1).trim())
      if (value !== '') headers[name] = value
    }
    // Refuses names and values that HTTP does not allow. Without headers it is not needed, and would load all of `fetch`.
    if (Object.keys(headers).length === 0) return headers
    return Object.fromEntries(new Headers(headers))
  } catch {
    throw new Error('must be headers such as x-api-key=secret,x-tenant=one, with values URL-encoded')
  }
}

export { createLogger, type Logger, type LoggerOptions } from './logger.ts'
export {
  type Counter,
  createMetrics,
  type Gauge,
  type Histogram,
  type MetricMaker,
  type Metrics,
} from './metrics.ts'
export { redacted, redactText } from './redact-text.ts'
export { isSecretName } from './sensitive-names.ts'
export { type TelemetrySettings, telemetrySettings } from './settings.ts'
export {
  type ActiveSpan,
  type SpanAttributes,
  type SpanOptions,
  startTracing,
  type Tracing,
  type TracingOptions,
} from './tracing.ts'

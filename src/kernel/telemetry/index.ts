export { createLogger, type Logger } from './logger.ts'
export { startMetricExport } from './metric-export.ts'
export {
  type Counter,
  createMetrics,
  type Gauge,
  type Histogram,
  type Metrics,
} from './metrics.ts'
export { isSecretName, redacted, redactLongText, redactText } from './redactor.ts'
export {
  type ActiveSpan,
  disabledTracing,
  type OpenSpan,
  type SpanAttributes,
  startTracing,
  type Tracing,
} from './tracing.ts'

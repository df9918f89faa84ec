export { createLogger, type Logger } from './logger.ts'
export {
  type Counter,
  createMetrics,
  type Gauge,
  type Histogram,
  type Metrics,
} from './metrics.ts'
export { redacted, redactText } from './redact-text.ts'
export { isSecretName } from './sensitive-names.ts'
export {
  type ActiveSpan,
  startTracing,
  type Tracing,
} from './tracing.ts'

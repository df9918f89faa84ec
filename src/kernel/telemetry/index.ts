export { createLogger, type Logger } from './logger.ts'
export {
  type Counter,
  createMetrics,
  type Gauge,
  type Histogram,
  type Metrics,
} from './metrics.ts'
export { isSecretName, redacted, redactText } from './redactor.ts'
export {
  type ActiveSpan,
  startTracing,
  type Tracing,
} from './tracing.ts'

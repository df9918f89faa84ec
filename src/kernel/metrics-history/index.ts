export type { Grain } from './grain.ts'
export type { Sample } from './machine/sample.ts'
export {
  createMetricsHistory,
  type Gauge,
  type MetricsHistory,
  type MetricsHistoryOptions,
  type MetricsNow,
  type MetricsPeriod,
} from './metrics-history.ts'
export { metricsHistoryMigrations } from './migrations.ts'
export type { ProcessMetrics } from './processes.ts'
export type { MetricsPoint, MetricsReading, RequestFigures } from './reading.ts'
export type { Answered } from './requests.ts'

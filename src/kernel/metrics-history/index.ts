export {
  createMetricsHistory,
  type Gauge,
  type MetricsHistory,
} from './metrics-history.ts'
export { metricsHistoryMigrations } from './migrations.ts'
export { listProcessVersions, type ProcessMetrics, type ProcessVersion } from './processes.ts'
export type { MetricsPoint, MetricsReading } from './reading.ts'
export type { Grain, RecordedResponse } from './recording.ts'

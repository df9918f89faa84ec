import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** Sends the metrics to a collector until it is shut down. */
export interface MetricExport {
  /** Sends the metrics a last time, for at most 2 seconds. Never rejects. */
  shutdown(): Promise<void>
}

export interface MetricExportOptions {
  /** Base URL of the collector. Without one, metrics are not sent. */
  readonly endpoint: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Time between two exports. */
  readonly intervalMs: number
  readonly metrics: Metrics
  readonly serviceName: string
  readonly version: string
  readonly instanceId: string
  readonly log: Logger
}

/** Starts to send the metrics if a collector is configured. Does not throw for an unreachable collector: failed exports are logged. */
export async function startMetricExport({
  endpoint,
  ...options
}: MetricExportOptions): Promise<MetricExport> {
  if (endpoint === undefined) return { async shutdown() {} }
  // The resource of OpenTelemetry is loaded only when used, as for traces.
  const { createOtlpMetricExport } = await import('./otlp-metrics.ts')
  return createOtlpMetricExport({ endpoint, ...options })
}

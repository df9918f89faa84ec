import { createMetrics, type Logger, type Metrics, startTracing, type Tracing } from '#kernel/telemetry'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** Log, metrics and traces of one process, passed to every part. */
export interface Telemetry extends AsyncDisposable {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

interface TelemetryOptions {
  readonly log: Logger
  /** Whether the metrics of Node.js itself are collected. */
  readonly watchProcess: boolean
}

export async function startTelemetry(
  { telemetry }: Settings,
  { log, watchProcess }: TelemetryOptions,
): Promise<Telemetry> {
  const { otlpEndpoint: endpoint, serviceName } = telemetry
  const tracing = await startTracing({ endpoint, serviceName, version, log })
  const metrics = createMetrics({ watchProcess })
  return {
    log,
    metrics,
    tracing,
    async [Symbol.asyncDispose]() {
      metrics.close()
      await tracing.shutdown()
    },
  }
}

import { randomUUID } from 'node:crypto'
import {
  createMetrics,
  type Logger,
  type Metrics,
  startMetricExport,
  startTracing,
  type Tracing,
} from '#kernel/telemetry'
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
  /** The name of this process among several of one `tutti serve`. */
  readonly process?: string | undefined
}

export async function startTelemetry(
  { telemetry }: Settings,
  { log, watchProcess, process }: TelemetryOptions,
): Promise<Telemetry> {
  const { otlpEndpoint: endpoint, serviceName } = telemetry
  const service = { serviceName, version, instanceId: randomUUID() }
  const tracing = await startTracing({ endpoint, ...service, log })
  const metrics = createMetrics({ watchProcess, process })
  const metricExport = await startMetricExport({
    endpoint: telemetry.metricsExporter === 'otlp' ? endpoint : undefined,
    headers: telemetry.otlpHeaders,
    intervalMs: telemetry.metricExportIntervalMs,
    metrics,
    ...service,
    log,
  })
  return {
    log,
    metrics,
    tracing,
    async [Symbol.asyncDispose]() {
      await Promise.all([metricExport.shutdown(), tracing.shutdown()])
      metrics.close()
    },
  }
}

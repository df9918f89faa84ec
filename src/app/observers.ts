import { createMetrics, type Logger, type Metrics, startTracing, type Tracing } from '#kernel/telemetry'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** What watches a process from inside, for as long as it runs. */
export interface Observers extends AsyncDisposable {
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

export async function startObservers({ telemetry }: Settings, log: Logger): Promise<Observers> {
  const { otlpEndpoint: endpoint, serviceName } = telemetry
  const tracing = await startTracing({ endpoint, serviceName, version, log })
  const metrics = createMetrics()
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

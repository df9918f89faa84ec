import type { Metrics } from '#kernel/telemetry'

/** An execution that this process has ended. */
export interface FinishedExecution {
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** Without the times in which it was suspended; null: it never started. */
  readonly durationMs: number | null
}

/** Invoked once for each execution, by the process whose commit ended it, after the commit. */
export type OnFinished = (execution: FinishedExecution) => void

/** Declares the metrics of ended executions. Does not throw. */
export function createExecutionMetrics(metrics: Pick<Metrics, 'counter' | 'histogram'>): OnFinished {
  const finished = metrics.counter({
    name: 'executions_finished_total',
    help: 'Executions that this process has ended, by status: completed, failed or cancelled.',
    labels: ['status'],
  })
  const seconds = metrics.histogram({
    name: 'execution_seconds',
    help: 'Duration of the executions that this process has ended, without the time in which they were suspended.',
    labels: ['status'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 3600],
  })
  // Without these, the rate of a status would miss its first execution.
  for (const status of ['completed', 'failed', 'cancelled']) finished.inc({ status }, 0)
  return ({ status, durationMs }) => {
    finished.inc({ status })
    if (durationMs !== null) seconds.observe({ status }, durationMs / 1000)
  }
}

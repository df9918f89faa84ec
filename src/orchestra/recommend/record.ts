import { type HistoryResult, quantileMs } from '#engine'
import { scoring } from '#executions-api'

/** The track record of an agent. Money in micro-dollars, times in milliseconds; null when unknown. */
export interface AgentRecord extends scoring.TrackRecord {
  readonly medianMs: number | null
  /** The average of completed runs. */
  readonly averageMicroDollars: number | null
  /** Average input and output tokens of a run. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export function recordOf(sums: ReturnType<HistoryResult<'agents'>['get']>): AgentRecord {
  const { completed = 0, failed = 0 } = sums ?? {}
  const runs = completed + failed
  return {
    completed,
    failed,
    medianMs: sums === undefined ? null : quantileMs(sums.took, 0.5),
    averageMicroDollars: sums === undefined || completed === 0 ? null : sums.completed_spent / completed,
    quality: scoring.meanQuality(sums?.quality_sum ?? 0, sums?.quality_count ?? 0),
    tokens:
      sums === undefined || runs === 0
        ? null
        : { input: sums.input_tokens / runs, output: sums.output_tokens / runs },
  }
}

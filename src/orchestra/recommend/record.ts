import { quantileMs, type StepSums } from '#engine'
import { recommend } from '#executions-api'

/** What runs of an agent have shown. Money in micro-dollars, times in milliseconds; null: nothing is known. */
export interface AgentRecord extends recommend.TrackRecord {
  readonly medianMs: number | null
  /** Of the completed runs. */
  readonly averageMicroDollars: number | null
  /** What a run read and wrote on average, models that are built in not counted. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export function recordOf(sums: StepSums | undefined): AgentRecord {
  const { completed = 0, failed = 0 } = sums ?? {}
  const runs = completed + failed
  return {
    completed,
    failed,
    medianMs: sums === undefined ? null : quantileMs(sums.took, 0.5),
    averageMicroDollars: sums === undefined || completed === 0 ? null : sums.completed_spent / completed,
    quality: recommend.meanQuality(sums?.quality_sum ?? 0, sums?.quality_count ?? 0),
    tokens:
      sums === undefined || runs === 0
        ? null
        : { input: sums.input_tokens / runs, output: sums.output_tokens / runs },
  }
}

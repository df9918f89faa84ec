import { type ExecutionRecord, executionMs, type FlowEstimate, predictExecution } from '#engine'

/** What executions before lead one to expect of this one. Null where nobody can tell. */
export interface Expectation {
  /** From its begin to its end. */
  readonly durationMs: number | null
  /** Whole micro-dollars. */
  readonly microDollars: number | null
  /** What is left of it. */
  readonly remainingMs: number | null
  readonly finalMicroDollars: number | null
  /** 0 to 1. */
  readonly confidence: number | null
  /** What this was learned from. */
  readonly source: string | null
  /** How long each step takes, as far as it is known. */
  readonly stepMs: ReadonlyMap<string, number>
}

export function expectationOf(record: ExecutionRecord, estimate: FlowEstimate, now: Date): Expectation {
  const { definition, outcomes, live, finishedAt, spent, input } = record
  const prediction = predictExecution({
    definition,
    estimate,
    over: outcomes,
    running: live,
    elapsedMs: executionMs(record, now),
    spent,
    items: input.batch?.items.length ?? 0,
    now,
  })
  const isOver = finishedAt !== null
  return {
    durationMs: estimate.duration.value,
    microDollars: estimate.cost.value,
    remainingMs: isOver ? 0 : prediction.remainingMs,
    finalMicroDollars: isOver ? spent : prediction.finalMicroDollars,
    confidence: prediction.confidence,
    source: prediction.source,
    stepMs: new Map(
      estimate.steps.flatMap(({ stepId, duration }) =>
        duration.value === null ? [] : [[stepId, duration.value]],
      ),
    ),
  }
}

import { type Engine, type ExecutionRecord, executionMs, type FlowEstimate, predictExecution } from '#engine'

/** What past executions predict for an execution. Null where unknown. */
export interface Expectation {
  /** From start to end. */
  readonly durationMs: number | null
  /** Whole micro-dollars. */
  readonly microDollars: number | null
  /** The time left. */
  readonly remainingMs: number | null
  readonly finalMicroDollars: number | null
  /** 0 to 1. */
  readonly confidence: number | null
  /** The source of the prediction. */
  readonly source: string | null
  /** The usual duration of each step, where known. */
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

/** The estimate of an execution from past ones. */
export async function estimateFor(
  { history }: Pick<Engine, 'history'>,
  { definition, metadata, input }: ExecutionRecord,
): Promise<FlowEstimate> {
  const { batch } = input
  return await history.estimate({
    definition,
    metadata,
    ...(batch !== undefined && {
      batch: { items: batch.items.length, size: batch.size, parallel: batch.parallel },
    }),
  })
}

export async function expect(
  engine: Pick<Engine, 'history'>,
  record: ExecutionRecord,
  now: Date,
): Promise<Expectation> {
  return expectationOf(record, await estimateFor(engine, record), now)
}

/** When an execution ended, or is likely to end; null when that is unknown. */
export function estimatedEnd(
  { finishedAt }: Pick<ExecutionRecord, 'finishedAt'>,
  { remainingMs }: Pick<Expectation, 'remainingMs'>,
  now: Date,
): Date | null {
  if (finishedAt !== null || remainingMs === null) return finishedAt
  return new Date(now.getTime() + remainingMs)
}

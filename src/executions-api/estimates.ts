import { type Engine, type ExecutionRecord, executionMs, type HistoryResult, predictExecution } from '#engine'

/** The predictions from past executions for one execution. Null where unknown. */
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

/** Predicts the time left and the final cost of an execution from an estimate of its flow. */
export function expectationOf(
  record: ExecutionRecord,
  estimate: HistoryResult<'estimate'>,
  now: Date,
): Expectation {
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
): Promise<HistoryResult<'estimate'>> {
  const { batch } = input
  return await history.estimate({
    definition,
    metadata,
    ...(batch !== undefined && {
      batch: { items: batch.items.length, size: batch.size, parallel: batch.parallel },
    }),
  })
}

/** Estimates an execution from past ones and predicts the rest of it. */
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

/** When an execution in the queue is likely to start and end; null where nothing is known. */
export interface QueueEstimate {
  readonly expected: Expectation
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** Estimates the start and the end of an execution by its queue position. */
export async function estimateQueued(
  engine: Pick<Engine, 'history'>,
  record: ExecutionRecord,
  now: Date,
): Promise<QueueEstimate> {
  // The next execution, or one that has started meanwhile, waits for no other.
  const before = (record.queuePosition ?? 1) - 1
  const [expected, { waitMs }] = await Promise.all([
    expect(engine, record, now),
    before === 0 ? { waitMs: 0 } : engine.history.waitAt(before),
  ])
  return queueTimes(record, { expected, waitMs, now })
}

/** The start of a parked execution is unknown: it waits for an approval, or for another execution of its account to end. */
export function queueTimes(
  { parked }: Pick<ExecutionRecord, 'parked'>,
  {
    expected,
    waitMs,
    now,
  }: { readonly expected: Expectation; readonly waitMs: number | null; readonly now: Date },
): QueueEstimate {
  const startMs = parked === null && waitMs !== null ? now.getTime() + waitMs : null
  const endMs = startMs === null || expected.durationMs === null ? null : startMs + expected.durationMs
  return {
    expected,
    startsAt: startMs === null ? null : new Date(startMs),
    endsAt: endMs === null ? null : new Date(endMs),
  }
}

import type { Engine, ExecutionRecord } from '#engine'
import { type Expectation, expect } from '../responses/expectation.ts'

/** When an execution in the queue is likely to start and end; null where nothing is known. */
export interface QueueEstimate {
  readonly expected: Expectation
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

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

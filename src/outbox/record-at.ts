import type { ExecutionEvent, ExecutionRecord } from '#engine'

const ends: ReadonlySet<string> = new Set(['execution_completed', 'execution_failed', 'execution_cancelled'])

/** Whether a journal event ends an execution. */
export function isEnd({ type }: Pick<ExecutionEvent, 'type'>): boolean {
  return ends.has(type)
}

/**
 * The execution as of an event. Events are published later than they happen, so the stored execution may have moved on: a recovery
 * reopened it, or more steps ended.
 */
export function recordAt(record: ExecutionRecord, event: ExecutionEvent): ExecutionRecord {
  const isLast = record.events.every(({ seq }) => seq <= event.seq)
  const outcomes = isLast
    ? record.outcomes
    : record.outcomes.filter(({ finishedAt }) => finishedAt.getTime() <= event.at.getTime())
  if (!isEnd(event)) {
    const running = { status: 'running', durationMs: null, finishedAt: null, live: [] } as const
    return { ...record, ...leaseAt(record, event.at), ...running, outcomes }
  }
  const { status, error = null, duration, total_cost: cost } = event.data as unknown as EndData
  return {
    ...record,
    status,
    error,
    outcomes,
    spent: Math.round(cost * 1e6),
    durationMs: Math.round(duration * 1000),
    finishedAt: event.at,
    live: [],
  }
}

/** Of earlier leases, only the start of the first is stored. */
function leaseAt(
  { resumedAt, activeMs }: ExecutionRecord,
  at: Date,
): Pick<ExecutionRecord, 'resumedAt' | 'activeMs'> {
  return resumedAt !== null && at < resumedAt ? { resumedAt: null, activeMs: 0 } : { resumedAt, activeMs }
}

/** The journal's data of an end. */
interface EndData {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly error?: ExecutionRecord['error']
  readonly duration: number
  readonly total_cost: number
}

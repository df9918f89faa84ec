import type { ExecutionEvent, ExecutionRecord } from '#engine'

const ends: ReadonlySet<string> = new Set(['execution_completed', 'execution_failed', 'execution_cancelled'])

export function isEnd({ type }: Pick<ExecutionEvent, 'type'>): boolean {
  return ends.has(type)
}

/**
 * An execution as it was when something happened in it. What is told may be told later, when more has happened: an end was
 * taken back by a recovery, or steps have ended since.
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

/** Of leases before the current one only the start of the first is known. */
function leaseAt(
  { resumedAt, activeMs }: ExecutionRecord,
  at: Date,
): Pick<ExecutionRecord, 'resumedAt' | 'activeMs'> {
  return resumedAt !== null && at < resumedAt ? { resumedAt: null, activeMs: 0 } : { resumedAt, activeMs }
}

/** What the journal says of an end. */
interface EndData {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly error?: ExecutionRecord['error']
  readonly duration: number
  readonly total_cost: number
}

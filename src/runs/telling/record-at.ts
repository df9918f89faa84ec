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
  if (!isEnd(event)) return { ...record, status: 'running', finishedAt: null, outcomes, live: [] }
  const { status, error = null, total_cost: cost } = event.data as unknown as EndData
  return {
    ...record,
    status,
    error,
    outcomes,
    spent: Math.round(cost * 1e6),
    finishedAt: event.at,
    live: [],
  }
}

/** What the journal says of an end. */
interface EndData {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly error?: ExecutionRecord['error']
  readonly total_cost: number
}

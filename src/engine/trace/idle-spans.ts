import type { StoredExecution } from '../store/read-execution.ts'

/** A time between the start and the end of an execution in which no worker ran it. */
export interface IdleSpan {
  readonly from: Date
  readonly to: Date
  readonly reason: 'suspended' | 'recovery' | 'worker_lost'
}

type Times = Pick<StoredExecution, 'events' | 'startedAt' | 'resumedAt' | 'activeMs' | 'finishedAt'>

/**
 * The times in which no worker ran an execution, from its events. Of a lost worker only the last resumption is stored. Never throws.
 *
 * | reason        | from                       | to                                    |
 * |---------------|----------------------------|---------------------------------------|
 * | `suspended`   | `execution_suspended`      | `execution_resumed`                   |
 * | `recovery`    | the end before it          | the first event after the recovery    |
 * | `worker_lost` | its last commit            | the lease that resumed it             |
 */
export function idleSpans(times: Times, now: Date): IdleSpan[] {
  const { events, finishedAt } = times
  const spans: IdleSpan[] = []
  let open: Pick<IdleSpan, 'from' | 'reason'> | undefined
  let endedAt: Date | undefined
  for (const { type, at } of events) {
    if (open !== undefined && endsIdle(open.reason, type)) {
      spans.push({ ...open, to: at })
      open = undefined
    }
    if (type === 'execution_suspended') open = { from: at, reason: 'suspended' }
    if (type === 'execution_failed') endedAt = at
    if (type === 'execution_recovered') open = { from: endedAt ?? at, reason: 'recovery' }
  }
  if (open !== undefined) spans.push({ ...open, to: finishedAt ?? now })
  return withLastLease(spans, times)
}

/** Events of others, such as an answer, are stored while an execution is suspended. */
function endsIdle(reason: IdleSpan['reason'], type: string): boolean {
  if (/^execution_(completed|failed|cancelled|resumed)$/.test(type)) return true
  return reason === 'recovery' && type !== 'execution_recovered'
}

/**
 * The last span ends with the last lease, and is as long as the time before this lease in which no worker ran the execution. Without a
 * span that leads to the lease, the worker before was lost.
 */
function withLastLease(
  spans: readonly IdleSpan[],
  { startedAt, resumedAt, activeMs }: Pick<Times, 'startedAt' | 'resumedAt' | 'activeMs'>,
): IdleSpan[] {
  if (resumedAt === null || startedAt === null) return [...spans]
  const led = spans.find(({ from, to }) => from <= resumedAt && resumedAt <= to)
  const others = spans.filter((span) => span !== led)
  const earlierMs = others
    .filter(({ to }) => to <= resumedAt)
    .reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0)
  const from = new Date(Math.min(startedAt.getTime() + activeMs + earlierMs, resumedAt.getTime()))
  const last: IdleSpan = { from, to: resumedAt, reason: led?.reason ?? 'worker_lost' }
  return [...others, last].sort((one, other) => one.from.getTime() - other.from.getTime())
}

import type { ExecutionRecord } from '#engine'
import { type Expectation, epochSeconds, type Measures, seconds } from '#runs'

export function describeTiming(
  record: ExecutionRecord,
  { elapsedMs }: Measures,
  { remainingMs }: Expectation,
  now: Date,
) {
  const { startedAt, finishedAt, createdAt, events, live } = record
  const lastActivity = Math.max(
    createdAt.getTime(),
    events.at(-1)?.at.getTime() ?? 0,
    ...live.map((step) => step.startedAt.getTime()),
  )
  return {
    started_at: startedAt === null ? null : epochSeconds(startedAt),
    current_time: epochSeconds(now),
    elapsed_time: seconds(elapsedMs ?? 0),
    estimated_completion: endOf(finishedAt, remainingMs, now),
    estimated_remaining: remainingMs === null ? null : seconds(remainingMs),
    last_activity: epochSeconds(new Date(lastActivity)),
  }
}

function endOf(finishedAt: Date | null, remainingMs: number | null, now: Date): number | null {
  if (finishedAt !== null) return epochSeconds(finishedAt)
  return remainingMs === null ? null : epochSeconds(new Date(now.getTime() + remainingMs))
}

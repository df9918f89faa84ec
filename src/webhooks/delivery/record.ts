import { type Database, storableJson } from '#kernel/database'
import type { Claim } from '#kernel/work'
import type { LaneRow } from './lanes.ts'
import type { NextDelivery } from './next-delivery.ts'
import type { SendError } from './send.ts'
import type { Tried } from './try-delivery.ts'

export interface Recorded {
  /** Whether the lane is finished. Otherwise it is still ours. */
  readonly ended: boolean
  /** Whether it holds more. */
  readonly more: boolean
}

/**
 * Only while we hold the lane, and only once: who comes late changes nothing. With the last delivery the lane ends, too, unless something
 * is being added to it: then its row is locked, is another one when we get it, and stays as it is.
 */
const recordStatement = `
  with held as materialized (
    select id, webhook_id, subject, added from webhook_lanes
    where id = $1 and work_worker = $2 and work_fence = $3 and work_state = 'running'
  ),
  recorded as (
    update webhook_deliveries as delivery
    set state = $5, reason = $6, next_attempt_at = now() + $7 * interval '1 millisecond',
      finished_at = case when $5 = 'pending' then null else now() end,
      attempts = case when $8::timestamptz is null then attempts else $13::integer end,
      attempted_at = coalesce($8, attempted_at),
      duration_ms = case when $8 is null then duration_ms else $9 end,
      request = case when $8 is null then request else $10::jsonb end,
      answer = case when $8 is null then answer else $11::jsonb end,
      error = case when $8 is null then error else $12::jsonb end
    from held
    where delivery.id = $4 and delivery.state = 'pending'
    returning exists (
      select from webhook_deliveries as other
      where other.webhook_id = held.webhook_id and other.subject = held.subject and other.state = 'pending'
        and other.id <> $4
    ) as more
  ),
  ended as (
    update webhook_lanes as lane
    set work_state = 'finished', work_worker = null
    from held, recorded
    where lane.id = held.id and lane.added = held.added and lane.work_fence = $3 and lane.work_state = 'running'
      and not recorded.more and $5 <> 'pending'
    returning 1
  )
  select more, exists (select from ended) as ended from recorded
`

/** Writes what became of a delivery. Undefined when it is no longer ours to say. */
export async function recordVerdict(
  database: Pick<Database, 'query'>,
  claim: Pick<Claim<LaneRow>, 'key' | 'workerId' | 'fence'>,
  delivery: Pick<NextDelivery, 'id' | 'attempts'>,
  tried: Tried,
): Promise<Recorded | undefined> {
  const { verdict, attempt } = tried
  const [row] = await database.query<Recorded>(
    recordStatement,
    [
      claim.key,
      claim.workerId,
      claim.fence,
      delivery.id,
      verdict.state,
      verdict.state === 'dead' ? verdict.reason : null,
      verdict.state === 'pending' ? verdict.pauseMs : 0,
      attempt?.startedAt ?? null,
      attempt?.durationMs ?? null,
      json(attempt?.request),
      json(attempt?.answer),
      json(errorOf(tried)),
      // Not one more than is stored: when the answer to this statement is lost, it is sent again.
      delivery.attempts + 1,
    ],
    'webhooks-record',
  )
  return row
}

/** An answer that was not what it should be is told as an error, too. */
function errorOf({ verdict, attempt }: Tried): SendError | null {
  if (verdict.state === 'delivered') return null
  return attempt?.error ?? { code: 'not_accepted', message: verdict.problem }
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : storableJson(value)
}

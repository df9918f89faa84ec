import type { Database } from '#kernel/database'
import type { TriggerError } from '../trigger.ts'

/** Delayed events of one trigger: an hour at the rate of a trigger. */
export const maxDelayed = 3600

export interface Delay {
  readonly error: TriggerError
  readonly delayMs: number
}

/** A delayed event of a trigger, by the id of its delivery. */
interface DelayedEvent {
  readonly deliveryId: string
  /** How often handling it failed. */
  readonly attempts: number
}

/** Stores a delivery as delayed, behind the delayed ones of its trigger. Returns false, and stores nothing, when there are too many. */
export async function addDelayed(
  database: Pick<Database, 'query'>,
  triggerId: string,
  deliveryId: string,
  { error, delayMs, attempts }: Delay & { readonly attempts: number },
): Promise<boolean> {
  const rows = await database.query(
    `
      with delayed as (
        insert into trigger_deliveries as known (trigger_id, delivery_id, outcome, error, attempts)
        select $1, $2, 'delayed', $3, $4
        where (
          select count(*) from (
            select from trigger_deliveries where trigger_id = $1 and outcome = 'delayed' limit ${maxDelayed}
          ) as counted
        ) < ${maxDelayed}
        on conflict (trigger_id, delivery_id) do update set outcome = 'delayed', error = excluded.error, attempts = excluded.attempts
        where known.outcome = 'received'
        returning 1
      )
      update triggers set delayed_until = coalesce(delayed_until, now() + $5 * interval '1 millisecond')
      where id = $1 and exists (select from delayed)
      returning 1
    `,
    [triggerId, deliveryId, JSON.stringify(error), attempts, delayMs],
    'triggers_add_delayed',
  )
  return rows.length > 0
}

/** The triggers of an account whose delayed events are due, the longest due first. */
export async function findDue(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    'select id from triggers where account_id = $1 and delayed_until <= now() order by delayed_until, id',
    [accountId],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The first delayed event of a trigger. */
export async function readFirstDelayed(
  database: Pick<Database, 'query'>,
  triggerId: string,
): Promise<DelayedEvent | undefined> {
  const [row] = await database.query<DelayedEvent>(
    `
      select delivery_id as "deliveryId", attempts from trigger_deliveries
      where trigger_id = $1 and outcome = 'delayed'
      order by received_at, delivery_id
      limit 1
    `,
    [triggerId],
    'triggers_first_delayed',
  )
  return row
}

/** Delays the events of a trigger further; the first of them has its error and its attempts. */
export async function delayFurther(
  database: Pick<Database, 'query'>,
  triggerId: string,
  { deliveryId, attempts }: DelayedEvent,
  { error, delayMs }: Delay,
): Promise<void> {
  await database.query(
    `
      with first as (
        update trigger_deliveries set error = $3, attempts = $4
        where trigger_id = $1 and delivery_id = $2 and outcome in ('received', 'delayed')
      )
      update triggers set delayed_until = now() + $5 * interval '1 millisecond' where id = $1
    `,
    [triggerId, deliveryId, JSON.stringify(error), attempts, delayMs],
  )
}

/** A trigger without delayed events handles new ones at once again. */
export async function endDelay(database: Pick<Database, 'query'>, triggerId: string): Promise<void> {
  await database.query(
    `
      update triggers set delayed_until = null
      where id = $1 and not exists (select from trigger_deliveries where trigger_id = $1 and outcome = 'delayed')
    `,
    [triggerId],
  )
}

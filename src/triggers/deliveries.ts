import { type Database, storableJson } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'
import { triggersFailure } from './errors.ts'
import { deleteIdleFollowers } from './events/followers.ts'
import type { Source } from './mapping.ts'
import { recordOutcome } from './store.ts'
import type { Delivery, DeliveryOutcome, TriggerError } from './trigger.ts'

/** How long deliveries are kept: a sender that repeats a request later than this starts a second execution. */
const keptMs = 7 * 86_400_000
/** Requests are kept for replays of the newest deliveries of a trigger, if they are not larger. */
const [keptRequests, maxRequestBytes] = [200, 64 * 1024]

const columns = `
  delivery_id as id, received_at as "receivedAt", outcome, execution_id as "executionId", error, request
`

/** Ids of deliveries are texts of the sender: printable, and not longer than this. */
export const maxDeliveryIdLength = 200

export interface GivenDelivery {
  readonly id: string
  readonly source: Source
  /** Of what the sender has signed. */
  readonly signedHash?: Buffer | undefined
}

/**
 * Stores a delivery, or returns the one with the same signed bytes, else the one with the same id. One that has led to nothing yet gets
 * its request. Throws `hook_not_found` when the trigger was deleted.
 */
export async function openDelivery(
  database: Pick<Database, 'query'>,
  triggerId: string,
  { id, source, signedHash }: GivenDelivery,
): Promise<Delivery> {
  const request = storableJson(source)
  const [row] = await database.query<Delivery>(
    `
      with owner as materialized (
        -- First, as deleting a trigger does: in another order, the two would wait for each other.
        select id from triggers where id = $1 for key share
      ),
      signed as (
        insert into trigger_signed_requests as known (trigger_id, signed_hash, delivery_id)
        select id, $4::bytea, $2 from owner where $4::bytea is not null
        on conflict (trigger_id, signed_hash) do update set delivery_id = known.delivery_id
        returning delivery_id
      )
      insert into trigger_deliveries as known (trigger_id, delivery_id, outcome, request)
      select id, coalesce((select delivery_id from signed), $2), 'received', $3 from owner
      on conflict (trigger_id, delivery_id) do update
      set request = case when known.outcome in ('received', 'started', 'signalled') then known.request else excluded.request end
      returning ${columns}
    `,
    [triggerId, id, Buffer.byteLength(request) > maxRequestBytes ? null : request, signedHash ?? null],
    'triggers_open_delivery',
  )
  if (row === undefined) throw triggersFailure('hook_not_found')
  return row
}

export type DeliveryEnd =
  | { readonly outcome: 'started'; readonly executionId: string }
  | { readonly outcome: 'ignored' | 'signalled' }
  | { readonly outcome: 'refused'; readonly error: TriggerError }

/**
 * Sets the outcome of a delivery, with the counts of its trigger. The first execution or event stays, and so does `ignored` when it is repeated.
 * Returns whether the outcome is new.
 */
export async function closeDelivery(
  database: Pick<Database, 'query'>,
  triggerId: string,
  deliveryId: string,
  end: DeliveryEnd,
): Promise<boolean> {
  const executionId = end.outcome === 'started' ? end.executionId : null
  const error = end.outcome === 'refused' ? end.error : null
  const changed = await database.query(
    `
      update trigger_deliveries set outcome = $3, execution_id = $4, error = $5
      where trigger_id = $1 and delivery_id = $2
        and (outcome in ('received', 'delayed', 'refused') or (outcome = 'ignored' and $3 <> 'ignored'))
      returning 1
    `,
    [triggerId, deliveryId, end.outcome, executionId, error === null ? null : JSON.stringify(error)],
    'triggers_close_delivery',
  )
  if (changed.length === 0) return false
  await recordOutcome(database, triggerId, { outcome: end.outcome, executionId, error })
  return true
}

/** The outcomes of the deliveries with this id, by trigger. */
export async function readOutcomes(
  database: Pick<Database, 'query'>,
  deliveryId: string,
  triggerIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryOutcome>> {
  const rows = await database.query<{ id: string; outcome: DeliveryOutcome }>(
    'select trigger_id as id, outcome from trigger_deliveries where delivery_id = $1 and trigger_id = any($2::uuid[])',
    [deliveryId, triggerIds],
    'triggers_outcomes',
  )
  return new Map(rows.map(({ id, outcome }) => [id, outcome]))
}

export async function readDelivery(
  database: Pick<Database, 'query'>,
  triggerId: string,
  deliveryId: string,
): Promise<Delivery | undefined> {
  const [row] = await database.query<Delivery>(
    `select ${columns} from trigger_deliveries where trigger_id = $1 and delivery_id = $2`,
    [triggerId, deliveryId],
  )
  return row
}

/** The newest first. */
export async function listDeliveries(
  database: Pick<Database, 'query'>,
  triggerId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }> {
  const [deliveries, [count]] = await Promise.all([
    database.query<Delivery>(
      `
        select ${columns} from trigger_deliveries
        where trigger_id = $1 order by received_at desc, delivery_id limit $2 offset $3
      `,
      [triggerId, limit, offset],
    ),
    database.query<{ total: number }>(
      'select count(*)::integer as total from trigger_deliveries where trigger_id = $1',
      [triggerId],
    ),
  ])
  return { deliveries, total: count?.total ?? 0 }
}

const pruneBatch = 5000

/**
 * Deletes old deliveries, the requests of those that are not among the newest of their trigger, and idle followers. Skips locked
 * deliveries: a trigger that is deleted removes all of its own in another order.
 */
export function createPruneTask(database: Pick<Database, 'query'>): RecurringTask {
  async function deleteOld(table: string, key: string, signal: AbortSignal): Promise<void> {
    for (let deleted = pruneBatch; deleted === pruneBatch && !signal.aborted; ) {
      const rows = await database.query(
        `
          delete from ${table}
          where (trigger_id, ${key}) in (
            select trigger_id, ${key} from ${table} where received_at < $1 limit ${pruneBatch}
            for update skip locked
          )
          returning 1
        `,
        [new Date(Date.now() - keptMs)],
      )
      deleted = rows.length
    }
  }

  return {
    name: 'triggers.prune',
    everyMs: 600_000,
    async run(signal) {
      await deleteOld('trigger_deliveries', 'delivery_id', signal)
      await deleteOld('trigger_signed_requests', 'signed_hash', signal)
      await database.query(`
        with surplus as materialized (
          select old.trigger_id, old.delivery_id
          from triggers as trigger
          cross join lateral (
            select received_at from trigger_deliveries
            where trigger_id = trigger.id order by received_at desc offset ${keptRequests} limit 1
          ) as last
          join trigger_deliveries as old
            on old.trigger_id = trigger.id and old.received_at <= last.received_at and old.request is not null
          for no key update of old skip locked
        )
        update trigger_deliveries as old set request = null
        from surplus
        where old.trigger_id = surplus.trigger_id and old.delivery_id = surplus.delivery_id
      `)
      await deleteIdleFollowers(database)
    },
  }
}

import type { Database } from '#kernel/database'
import { rollUpFrom } from '../usage/roll-up.ts'
import { payFrom } from './spend.ts'

const chunkSize = 500

/** The cost of a lost call is unknown, so the whole reservation counts as spent. */
const statement = `
  with expired as (
    select id from model_reservations
    where expires_at <= coalesce($1, now())
    order by expires_at
    limit ${chunkSize}
    for update skip locked
  ),
  settled as (
    delete from model_reservations as reservation
    using expired
    where reservation.id = expired.id
    returning reservation.*, reserved_at as at, micro_dollars as spent, micro_dollars as reserved
  ),
  calls as (
    insert into model_calls (
      id, account_id, source, provider, model, requested_model, started_at, micro_dollars, price_source, price_version,
      estimated, outcome, cache_hit, attempts, key_id, tags
    )
    select call_id, account_id, source, provider, model, requested_model, reserved_at, micro_dollars, price_source,
      price_version, true, 'lost', false, attempts, key_id, tags
    from settled
    on conflict (id) do nothing
    returning *
  ),
  ${rollUpFrom('calls', '+')},
  ${payFrom('settled')}
  select count(*) as count from settled
`

/**
 * Settles expired reservations, whose process was lost: the whole reservation counts as spent and the call is recorded as
 * `lost`. Returns their number. `now` replaces the clock of the database in tests.
 */
export async function settleLostReservations(database: Database, now?: Date): Promise<number> {
  for (let total = 0; ; ) {
    const [chunk] = await database.query<{ count: number }>(statement, [now ?? null])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
  }
}

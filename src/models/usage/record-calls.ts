import type { Database } from '#kernel/database'
import type { Settlement } from '../budgets/purse.ts'
import { payFrom } from '../budgets/spend-days.ts'
import { type CallRecord, callColumns, describeCall } from './call-record.ts'
import { rollUpFrom } from './roll-up.ts'

const columns = Object.keys(callColumns).join(', ')
const typedColumns = Object.entries(callColumns)
  .map(([column, [type]]) => `${column} ${type}`)
  .join(', ')

/** Carried out twice, it does nothing the second time: a commit on a broken connection can be repeated. */
const recordStatement = `
  with calls as (
    insert into model_calls (${columns})
    select ${columns} from json_to_recordset($1::json) as given (${typedColumns})
    on conflict (id) do nothing
    returning *
  ),
  days as (${rollUpFrom('calls', '+')}),
  settled as (
    delete from model_reservations as reservation
    using unnest($2::uuid[], $3::bigint[]) as settlement (id, micro_dollars)
    where reservation.id = settlement.id
    returning reservation.id, account_id, day, reservation.micro_dollars as reserved,
      least(settlement.micro_dollars, reservation.micro_dollars) as spent
  ),
  ${payFrom('settled')}
  select id from settled
`

/** Calls, their days and the money they took, in one commit. Answers the reservations that it found. */
export async function recordCalls(
  database: Database,
  {
    calls,
    settlements,
  }: { readonly calls: readonly CallRecord[]; readonly settlements: readonly Settlement[] },
): Promise<ReadonlySet<string>> {
  const settled = await database.query<{ id: string }>(recordStatement, [
    JSON.stringify(calls.map(describeCall)),
    settlements.map(({ reservationId }) => reservationId),
    settlements.map(({ microDollars }) => microDollars),
  ])
  return new Set(settled.map(({ id }) => id))
}

const takeBackStatement = `
  with lost as (
    delete from model_calls as call
    using unnest($1::uuid[], $2::bigint[]) as settlement (call_id, micro_dollars)
    where call.id = settlement.call_id and call.outcome = 'lost'
    returning call.*, settlement.micro_dollars as cost
  ),
  days as (${rollUpFrom('lost', '-')}),
  settled as (
    select account_id, (started_at at time zone 'utc')::date as day, cost - micro_dollars as spent, 0 as reserved
    from lost
  ),
  ${payFrom('settled')}
  select id from lost
`

/**
 * Calls that were given up as lost and then ended after all, as on a machine that slept: the day pays what they really cost
 * and the row of the lost call goes. Answers the calls that were found so.
 */
export async function takeBackLost(
  database: Database,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  const found = await database.query<{ id: string }>(takeBackStatement, [
    settlements.map(({ callId }) => callId),
    settlements.map(({ microDollars }) => microDollars),
  ])
  return new Set(found.map(({ id }) => id))
}

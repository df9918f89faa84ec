import { createBatchWriter, type Database, retryWhenUnavailable } from '#kernel/database'
import type { Settlement } from '../budgets/budget.ts'
import { payFrom } from '../budgets/spend.ts'
import { type CallRecord, callColumns, describeCall } from './call-record.ts'
import { rollUpFrom } from './roll-up.ts'

/** A call, the settlement of a reservation, or both: written in one commit. */
interface UsageEntry {
  readonly call?: CallRecord | undefined
  readonly settlement?: Settlement | undefined
}

/** Records calls and settles their reservations. */
export interface UsageRecorder extends AsyncDisposable {
  /** Resolves when the entry is committed. Rejects when the database stays unavailable; the reservation then expires and counts in full. */
  record(entry: UsageEntry): Promise<void>
}

const maxUnavailableMs = 20_000

/** Responses do not wait for their record, so a busy gateway can write many with one commit. */
const recordEveryMs = 10

/** Calls that end at about the same time share a statement and a commit. */
export function createUsageRecorder({ database }: { readonly database: Database }): UsageRecorder {
  const writer = createBatchWriter<UsageEntry, void>({ flush, pauseMs: recordEveryMs })

  async function flush(entries: readonly UsageEntry[]): Promise<readonly void[]> {
    const calls = entries.flatMap(({ call }) => call ?? [])
    const settlements = entries.flatMap(({ settlement }) => settlement ?? [])
    const settled = await withDatabaseRetry(() => recordCalls(database, { calls, settlements }))
    const missing = settlements.filter(({ reservationId }) => !settled.has(reservationId))
    if (missing.length > 0) {
      const found = await withDatabaseRetry(() => correctLostCalls(database, missing))
      const late = calls.filter(({ id }) => found.has(id))
      if (late.length > 0)
        await withDatabaseRetry(() => recordCalls(database, { calls: late, settlements: [] }))
    }
    for (const { onSettled } of settlements) onSettled?.()
    return entries.map(() => undefined)
  }

  return {
    record: (entry) => writer.write(entry),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

function withDatabaseRetry<Result>(work: () => Promise<Result>): Promise<Result> {
  return retryWhenUnavailable(work, { deadlineMs: maxUnavailableMs })
}

const columns = Object.keys(callColumns).join(', ')
const typedColumns = Object.entries(callColumns)
  .map(([column, [type]]) => `${column} ${type}`)
  .join(', ')

/** Idempotent, so it can be repeated after a broken connection. */
const recordStatement = `
  with calls as (
    insert into model_calls (${columns})
    select ${columns} from json_to_recordset($1::json) as given (${typedColumns})
    on conflict (id) do nothing
    returning *
  ),
  ${rollUpFrom('calls', '+')},
  settled as (
    delete from model_reservations as reservation
    using unnest($2::uuid[], $3::bigint[]) as settlement (id, micro_dollars)
    where reservation.id = settlement.id
    returning reservation.id, account_id, key_id, reserved_at as at, reservation.micro_dollars as reserved,
      least(settlement.micro_dollars, reservation.micro_dollars) as spent
  ),
  ${payFrom('settled')}
  select id from settled
`

/** Writes calls, their daily totals and their spend in one commit. Returns the ids of the settled reservations. */
async function recordCalls(
  database: Database,
  {
    calls,
    settlements,
  }: { readonly calls: readonly CallRecord[]; readonly settlements: readonly Settlement[] },
): Promise<ReadonlySet<string>> {
  const settled = await database.query<{ id: string }>(
    recordStatement,
    [
      JSON.stringify(calls.map(describeCall)),
      settlements.map(({ reservationId }) => reservationId),
      settlements.map(({ microDollars }) => microDollars),
    ],
    'models-record',
  )
  return new Set(settled.map(({ id }) => id))
}

const correctStatement = `
  with lost as (
    delete from model_calls as call
    using unnest($1::uuid[], $2::bigint[]) as settlement (call_id, micro_dollars)
    where call.id = settlement.call_id and call.outcome = 'lost'
    returning call.*, settlement.micro_dollars as cost
  ),
  ${rollUpFrom('lost', '-')},
  settled as (
    select account_id, key_id, started_at as at, cost - micro_dollars as spent, 0 as reserved
    from lost
  ),
  ${payFrom('settled')}
  select id from lost
`

/**
 * Corrects calls that were recorded as lost and ended after all, as on a machine that was suspended: deletes the row of the
 * lost call and charges the real cost to its day. Returns the ids of the corrected calls.
 */
async function correctLostCalls(
  database: Database,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  const found = await database.query<{ id: string }>(correctStatement, [
    settlements.map(({ callId }) => callId),
    settlements.map(({ microDollars }) => microDollars),
  ])
  return new Set(found.map(({ id }) => id))
}

import type { Database } from '#kernel/database'
import { type EntryCosts, shareTime } from './entry-costs.ts'

/** The key of an outbox entry. */
export interface EntryKey {
  readonly executionId: string
  readonly firstSeq: number
  readonly accountId: string
}

/**
 * Bounds of one dispatch. Bytes count the stored executions, which are read to describe their events and take several times as much
 * in memory. An execution above the bound is dispatched alone.
 */
const maxEntries = { ofBatch: 200, ofAccount: 100 } as const
const maxBytes = 8 * 1024 * 1024
const maxAccounts = 64

/** Executions whose sizes one statement reads. */
const sizesPerStatement = 16

/** SQL: the entry is due, and no earlier entry of its execution waits for a retry. */
export const isDispatchable = `
  entry.due_at <= now() and not exists (
    select from engine_outbox as earlier
    where earlier.execution_id = entry.execution_id and earlier.first_seq < entry.first_seq and earlier.due_at > now()
  )
`

/** The accounts after the given one (one index look-up each), with the first entries of each: the first of all accounts, then the second … */
const waitingStatement = `
  with recursive waiting as (
    (select account_id from engine_outbox where $1::uuid is null or account_id > $1 order by account_id limit 1)
    union all
    select next.account_id
    from waiting cross join lateral (
      select account_id from engine_outbox where account_id > waiting.account_id order by account_id limit 1
    ) as next
  )
  select account.account_id as "accountId", entry.execution_id as "executionId", entry.first_seq as "firstSeq"
  from (select account_id from waiting limit ${maxAccounts}) as account
  cross join lateral (
    select execution_id, first_seq, row_number() over (order by id) as nth
    from (
      select id, execution_id, first_seq from engine_outbox as entry
      where entry.account_id = account.account_id and ${isDispatchable}
      order by id
      limit ${maxEntries.ofAccount}
    ) as oldest
  ) as entry
  order by entry.nth, account.account_id
  limit ${maxEntries.ofBatch}
`

/** PostgreSQL knows the length of a stored text without reading it; only the input, a jsonb, is converted. */
const sizeStatement = `
  select execution.id, (
    octet_length(execution.input::text)
    + coalesce((
      select sum(coalesce(engine_output_bytes(output), 0) + octet_length(details) + coalesce(octet_length(entries), 0))
      from engine_steps where execution_id = execution.id
    ), 0)
    + coalesce((select sum(octet_length(entries)) from engine_journal where execution_id = execution.id), 0)
  )::float8 as bytes
  from engine_executions as execution
  where execution.id = any($1::uuid[])
`

/** Chooses the entries of the next dispatch, by account; an empty list when none is due. */
type PlanBatch = () => Promise<EntryKey[]>

/**
 * Accounts take turns: a dispatch starts with the account after the last account of the previous dispatch, and its accounts share the
 * time. An account with a long backlog delays each other account by at most one dispatch per turn.
 */
export function createPlanBatch(
  database: Pick<Database, 'query'>,
  costs: Pick<EntryCosts, 'msOf'>,
): PlanBatch {
  let lastAccount: string | null = null

  async function readWaiting(): Promise<EntryKey[]> {
    const waiting = await database.query<EntryKey>(waitingStatement, [lastAccount])
    if (waiting.length > 0 || lastAccount === null) return waiting
    lastAccount = null
    return await database.query<EntryKey>(waitingStatement, [lastAccount])
  }

  /** The longest prefix of the executions that fits the byte bound. */
  async function chooseExecutions(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const chosen = new Set<string>()
    let bytesLeft = maxBytes
    for (let first = 0; first < ids.length; first += sizesPerStatement) {
      const some = ids.slice(first, first + sizesPerStatement)
      const sizes = await database.query<{ id: string; bytes: number }>(sizeStatement, [some])
      const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]))
      for (const id of some) {
        bytesLeft -= bytesOf.get(id) ?? 0
        if (bytesLeft < 0 && chosen.size > 0) return chosen
        chosen.add(id)
      }
    }
    return chosen
  }

  return async () => {
    const affordable = shareTime(await readWaiting(), costs.msOf)
    const chosen = await chooseExecutions([...new Set(affordable.map(({ executionId }) => executionId))])
    const end = affordable.findIndex(({ executionId }) => !chosen.has(executionId))
    const planned = end === -1 ? affordable : affordable.slice(0, end)
    lastAccount = planned.at(-1)?.accountId ?? null
    return planned
  }
}

import type { Database } from '#kernel/database'
import { runStatement } from '#kernel/work'
import { executionQueue } from './queue.ts'

/**
 * How many executions of an account may be active at once, over all replicas. One that is active is under way or waits for a
 * worker; one that is parked waits for another of the same account to end, and `work_due_at` is infinity.
 *
 * Active are those that were let in and have not ended. What was let in is counted under a lock on the account's row. Ends are
 * counted elsewhere, by the commits that write them, and read as they stand when the statement begins: one that is missed leaves less
 * room for a moment, never more.
 */
export const admissionStatements = {
  /** What has ended, by account. Needs `wanted (account_id, most, places)`. */
  before: `
    before as materialized (
      select wanted.account_id, wanted.most, wanted.places,
        (
          select coalesce(sum(ends.ended), 0) from engine_account_ends as ends
          where ends.account_id = wanted.account_id
        ) as ended
      from wanted
      -- In one order for everybody: who lets in for several accounts locks several rows.
      order by wanted.account_id
    )`,
  /** Lets in as many as there is room for, and tells by account how many that were. */
  granted: `
    granted as (
      insert into engine_accounts as known (account_id, admitted, granted)
      select account_id, room, room
      from (select *, greatest(0, least(places, most + ended))::integer as room from before) as it
      on conflict (account_id) do update
      set (admitted, granted) = (
        select known.admitted + it.room, it.room
        from (
          select greatest(0, least(before.places, before.most - (known.admitted - before.ended)))::integer as room
          from before where before.account_id = known.account_id
        ) as it
      )
      returning account_id, granted
    )`,
} as const

/** How many shards the ends of an account are counted in. */
export const endShards = 16

const isWaiting = `work_state = 'queued' and work_due_at = 'infinity' and approval is distinct from 'pending'`

/** Accounts without room are left out before anything is locked: most are looked at in vain. */
const promoteStatement = `
  with limits as materialized (
    select it.account_id, it.most
    from json_to_recordset($1::json) as it (account_id uuid, most integer)
    where it.most > coalesce(
        (select known.admitted from engine_accounts as known where known.account_id = it.account_id), 0
      ) - (
        select coalesce(sum(ends.ended), 0) from engine_account_ends as ends where ends.account_id = it.account_id
      )
  ),
  parked as materialized (
    select execution.id, execution.account_id,
      row_number() over (partition by execution.account_id order by execution.work_priority desc, execution.id) as place
    from limits
    cross join lateral (
      select id, account_id, work_priority from engine_executions
      where account_id = limits.account_id and ${isWaiting}
      order by work_priority desc, id
      limit greatest(limits.most, 1)
      -- Held from here on: one that somebody ends or lets in meanwhile would be counted, and never come in.
      for no key update skip locked
    ) as execution
  ),
  wanted as (
    select limits.account_id, limits.most, count(*)::integer as places
    from limits join parked on parked.account_id = limits.account_id
    group by limits.account_id, limits.most
  ),
  ${admissionStatements.before},
  ${admissionStatements.granted}
  update engine_executions as execution
  set work_due_at = now()
  from parked
  join granted on granted.account_id = parked.account_id and parked.place <= granted.granted
  where execution.id = parked.id and execution.work_state = 'queued' and execution.work_due_at = 'infinity'
    and execution.approval is distinct from 'pending'
  returning execution.id
`

/**
 * Counts anew what is active, with the account's row locked: should a count ever be wrong, it does not stay so. By state, so that the
 * indexes of queued and of running executions are read, and not all that the account ever had.
 */
const recountStatement = `
  update engine_accounts as known
  set admitted = (
    select coalesce(sum(ends.ended), 0) from engine_account_ends as ends where ends.account_id = known.account_id
  ) + (
    select count(*) from engine_executions as active
    where active.account_id = known.account_id and active.work_state = 'queued' and active.work_due_at < 'infinity'
  ) + (
    select count(*) from engine_executions as active
    where active.account_id = known.account_id and active.work_state = 'running'
  )
  where account_id = $1
`

export async function recountAccount(
  database: Pick<Database, 'transaction'>,
  accountId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // First, so that the counting statement sees all that was let in.
    await runStatement(transaction, 'select from engine_accounts where account_id = $1 for update', [
      accountId,
    ])
    await runStatement(transaction, recountStatement, [accountId])
  })
}

/** The next account after another of which something waits. */
const nextWaiting = (after: string) => `
  (
    select account_id from engine_executions
    where ${isWaiting} and account_id > ${after}
    order by account_id
    limit 1
  )
`

/** Goes from account to account by the index: one entry of it is read for each, however many executions wait. */
const waitingStatement = `
  with recursive waiting (account_id) as (
    select ${nextWaiting('$1')}
    union all
    select ${nextWaiting('waiting.account_id')} from waiting where waiting.account_id is not null
  )
  select account_id from waiting where account_id is not null limit $2
`

const stillWaitingStatement = `
  select it.account_id from unnest($1::uuid[]) as it (account_id)
  where exists (select 1 from engine_executions where account_id = it.account_id and ${isWaiting})
`

/** The most accounts in one statement, and in one call of `promoteAll`. */
const maxTogether = 200
const maxAtOnce = 1000

const firstAccount = '00000000-0000-0000-0000-000000000000'

export interface Admission {
  /** Lets parked executions of these accounts in, as far as there is room, the most urgent and oldest first. Answers how many. */
  promote(accountIds: Iterable<string>): Promise<number>
  /** Those of the accounts of which executions still wait. */
  stillWaiting(accountIds: readonly string[]): Promise<readonly string[]>
  /**
   * Lets in executions of all accounts, for those that nobody looks after: their process has died, or a limit was raised. Of very many
   * accounts the next call goes on where this one stopped.
   */
  promoteAll(): Promise<void>
  /** Counts anew what every account has under way. */
  recount(signal: AbortSignal): Promise<void>
}

export interface AdmissionOptions {
  readonly database: Pick<Database, 'query' | 'kysely' | 'transaction'>
  /** Most executions of an account at once. */
  readonly mostOf: (accountId: string) => Promise<number>
}

export function createAdmission({ database, mostOf }: AdmissionOptions): Admission {
  /** The last account that was looked at. */
  let cursor = firstAccount

  async function promote(accountIds: Iterable<string>): Promise<number> {
    const limits = await Promise.all(
      [...new Set(accountIds)].sort().map(async (id) => ({ account_id: id, most: await mostOf(id) })),
    )
    if (limits.length === 0) return 0
    const promoted = await database.query(promoteStatement, [JSON.stringify(limits)], 'engine_promote')
    if (promoted.length > 0) await executionQueue.wake(database.kysely)
    return promoted.length
  }

  return {
    promote,
    async stillWaiting(accountIds) {
      const rows = await database.query<{ account_id: string }>(stillWaitingStatement, [accountIds])
      return rows.map(({ account_id: id }) => id)
    },
    async promoteAll() {
      for (let seen = 0; seen < maxAtOnce; seen += maxTogether) {
        const waiting = await database.query<{ account_id: string }>(waitingStatement, [cursor, maxTogether])
        await promote(waiting.map(({ account_id: id }) => id))
        const isLast = waiting.length < maxTogether
        cursor = isLast ? firstAccount : (waiting.at(-1)?.account_id ?? firstAccount)
        if (isLast) return
      }
    },
    async recount(signal) {
      const accounts = await database.query<{ account_id: string }>('select account_id from engine_accounts')
      for (const { account_id: id } of accounts) {
        signal.throwIfAborted()
        await recountAccount(database, id)
      }
    },
  }
}

import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { runStatement } from '#kernel/work'
import { executionQueue } from './queue.ts'

/**
 * Limits how many executions of an account are active at once, over all replicas. An active execution runs or waits for a worker; a
 * parked one waits for another execution of the account to end, and its `work_due_at` is infinity.
 *
 * Active executions were admitted and have not ended. Admissions are counted under a lock on the account's row. Ends are counted by the
 * commits that write them, and read from the snapshot of the statement: a missed end leaves one slot less for a moment, never one more.
 */
export const admissionStatements = {
  /** Ended executions by account. Needs `wanted (account_id, max_active, requested)`. */
  before: `
    before as materialized (
      select wanted.account_id, wanted.max_active, wanted.requested,
        (
          select coalesce(sum(ends.ended), 0) from engine_account_ends as ends
          where ends.account_id = wanted.account_id
        ) as ended
      from wanted
      -- All statements lock the rows of several accounts in the same order.
      order by wanted.account_id
    )`,
  /** Admits as many executions as there are free slots, and returns their number by account. */
  granted: `
    granted as (
      insert into engine_accounts as known (account_id, admitted, granted)
      select account_id, free_slots, free_slots
      from (select *, greatest(0, least(requested, max_active + ended))::integer as free_slots from before) as it
      on conflict (account_id) do update
      set (admitted, granted) = (
        select known.admitted + it.free_slots, it.free_slots
        from (
          select greatest(0, least(before.requested, before.max_active - (known.admitted - before.ended)))::integer as free_slots
          from before where before.account_id = known.account_id
        ) as it
      )
      returning account_id, granted
    )`,
} as const

/** Ends of an account are counted in this many rows, so that parallel commits do not wait for one lock. */
export const endShards = 16

const isWaiting = `work_state = 'queued' and work_due_at = 'infinity' and approval is distinct from 'pending'`

/** Accounts without a free slot are filtered out before any lock is taken: most accounts have none. */
const promoteStatement = `
  with limits as materialized (
    select it.account_id, it.max_active
    from json_to_recordset($1::json) as it (account_id uuid, max_active integer)
    where it.max_active > coalesce(
        (select known.admitted from engine_accounts as known where known.account_id = it.account_id), 0
      ) - (
        select coalesce(sum(ends.ended), 0) from engine_account_ends as ends where ends.account_id = it.account_id
      )
  ),
  parked as materialized (
    select execution.id, execution.account_id,
      row_number() over (partition by execution.account_id order by execution.work_priority desc, execution.id) as position
    from limits
    cross join lateral (
      select id, account_id, work_priority from engine_executions
      where account_id = limits.account_id and ${isWaiting}
      order by work_priority desc, id
      limit greatest(limits.max_active, 1)
      -- Locked here: an execution that ends or is admitted in the meantime would take a slot without being admitted.
      for no key update skip locked
    ) as execution
  ),
  wanted as (
    select limits.account_id, limits.max_active, count(*)::integer as requested
    from limits join parked on parked.account_id = limits.account_id
    group by limits.account_id, limits.max_active
  ),
  ${admissionStatements.before},
  ${admissionStatements.granted}
  update engine_executions as execution
  set work_due_at = now()
  from parked
  join granted on granted.account_id = parked.account_id and parked.position <= granted.granted
  where execution.id = parked.id and execution.work_state = 'queued' and execution.work_due_at = 'infinity'
    and execution.approval is distinct from 'pending'
  returning execution.id
`

/**
 * Recounts the active executions with the account's row locked, which repairs a wrong count. One subquery per state, so that the
 * indexes of queued and of running executions are used instead of all executions of the account.
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
    // Locked first, so that the snapshot of the next statement contains every admission.
    await runStatement(transaction, 'select from engine_accounts where account_id = $1 for update', [
      accountId,
    ])
    await runStatement(transaction, recountStatement, [accountId])
  })
}

/** The next account that has waiting executions. */
const nextWaiting = (after: string) => `
  (
    select account_id from engine_executions
    where ${isWaiting} and account_id > ${after}
    order by account_id
    limit 1
  )
`

/** A loose index scan: reads one index entry per account, however many of its executions wait. */
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

/** Accounts per statement, and per call of `promoteAll`. */
const maxPerStatement = 200
const maxPerCall = 1000

const firstAccount = '00000000-0000-0000-0000-000000000000'

export interface Admission {
  /** Admits parked executions of these accounts into free slots, by priority and age. Returns their number. */
  promote(accountIds: Iterable<string>): Promise<number>
  /** The accounts among these that still have waiting executions. */
  stillWaiting(accountIds: readonly string[]): Promise<readonly string[]>
  /**
   * Admits executions of all accounts: for accounts whose process has crashed, or whose limit was raised. With very many accounts, the
   * next call continues where this one stopped.
   */
  promoteAll(): Promise<void>
  /** Recounts the active executions of every account. */
  recount(signal: AbortSignal): Promise<void>
}

export interface AdmissionOptions {
  readonly database: Pick<Database, 'query' | 'kysely' | 'transaction'>
  /** How many executions of an account may be active at once. */
  readonly maxOf: (accountId: string) => Promise<number>
}

export function createAdmission({ database, maxOf }: AdmissionOptions): Admission {
  /** The last account that `promoteAll` checked. */
  let cursor = firstAccount

  async function promote(accountIds: Iterable<string>): Promise<number> {
    const limits = await Promise.all(
      [...new Set(accountIds)].sort().map(async (id) => ({ account_id: id, max_active: await maxOf(id) })),
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
      for (let seen = 0; seen < maxPerCall; seen += maxPerStatement) {
        const waiting = await database.query<{ account_id: string }>(waitingStatement, [
          cursor,
          maxPerStatement,
        ])
        await promote(waiting.map(({ account_id: id }) => id))
        const isLast = waiting.length < maxPerStatement
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

/**
 * Accounts with parked executions, as far as this process knows. A process that parks an execution announces its account to all others.
 *
 * | an execution of the account ends     | then parked executions are promoted                                       |
 * |--------------------------------------|---------------------------------------------------------------------------|
 * | in a process that knows the account  | by that process, at once                                                  |
 * | in another process                   | by a process that parked one of them, within a second                     |
 * | and those processes have crashed     | by the recurring task `engine.promote`, which checks all accounts         |
 */
interface WaitingAccounts extends AsyncDisposable {
  /** An execution of the account was parked here. */
  readonly onParked: (accountId: string) => void
  /** An execution of the account has ended here. */
  readonly onEnded: (accountId: string) => void
}

interface WaitingAccountsOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly admission: Pick<Admission, 'promote' | 'stillWaiting'>
  readonly log: Pick<Logger, 'warn' | 'debug'>
}

const channel = 'engine_waiting'

const promoteEveryMs = 1000

/** With more accounts, the recurring task promotes those that were announced first. */
const maxAccounts = 1000

interface Account {
  /** An execution of it was parked here. */
  parkedHere: boolean
  isBusy: boolean
  /** An execution ended or was parked while it was busy: it is promoted once more. */
  again: boolean
}

export async function openWaitingAccounts(options: WaitingAccountsOptions): Promise<WaitingAccounts> {
  const { database, admission, log } = options
  const accounts = new Map<string, Account>()
  const announced = new Set<string>()

  function add(accountId: string, parkedHere: boolean): void {
    const known = accounts.get(accountId)
    if (known !== undefined) {
      known.parkedHere ||= parkedHere
      known.again = true
      return
    }
    const [oldest] = accounts.keys()
    if (accounts.size >= maxAccounts && oldest !== undefined) accounts.delete(oldest)
    accounts.set(accountId, { parkedHere, isBusy: false, again: false })
  }

  function announce(accountId: string): void {
    if (announced.has(accountId)) return
    announced.add(accountId)
    database.query('select pg_notify($1, $2)', [channel, accountId]).catch((error: unknown) => {
      log.debug({ err: error }, 'an account with parked executions could not be announced')
    })
  }

  /** Takes the accounts that are not busy. The call that has taken the others promotes them once more. */
  function take(accountIds: readonly string[]): Map<string, Account> {
    const taken = new Map<string, Account>()
    for (const id of accountIds) {
      const account = accounts.get(id)
      if (account === undefined) continue
      if (!account.isBusy) taken.set(id, account)
      account.again = account.isBusy
      account.isBusy = true
    }
    return taken
  }

  async function promote(accountIds: readonly string[]): Promise<void> {
    const taken = take(accountIds)
    const ids = [...taken.keys()]
    if (ids.length === 0) return
    let waiting: ReadonlySet<string> = new Set(ids)
    try {
      await admission.promote(ids)
      waiting = new Set(await admission.stillWaiting(ids))
    } catch (error) {
      log.warn({ err: error }, 'parked executions could not be promoted, retrying in 1 s')
    }
    for (const [id, account] of taken) {
      account.isBusy = false
      if (!account.again && !waiting.has(id)) accounts.delete(id)
    }
    await promote(ids.filter((id) => taken.get(id)?.again === true))
  }

  function promoteKnown(): void {
    announced.clear()
    void promote([...accounts].flatMap(([id, { parkedHere }]) => (parkedHere ? [id] : [])))
  }

  const subscription = await database.listen(channel, (accountId) => add(accountId, false))
  const timer = setInterval(promoteKnown, promoteEveryMs)
  return {
    onParked(accountId) {
      add(accountId, true)
      announce(accountId)
    },
    onEnded(accountId) {
      if (accounts.has(accountId)) void promote([accountId])
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await subscription[Symbol.asyncDispose]()
    },
  }
}

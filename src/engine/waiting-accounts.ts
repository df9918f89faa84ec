import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { Admission } from './store/admission.ts'

/**
 * Accounts with parked executions, as far as this process knows. A process that parks an execution announces its account to all others.
 *
 * | an execution of the account ends     | then parked executions are promoted                                       |
 * |--------------------------------------|---------------------------------------------------------------------------|
 * | in a process that knows the account  | by that process, at once                                                  |
 * | in another process                   | by a process that parked one of them, within a second                     |
 * | and those processes have crashed     | by the recurring task `engine.promote`, which checks all accounts         |
 */
export interface WaitingAccounts extends AsyncDisposable {
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

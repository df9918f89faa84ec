import type { Database } from '#kernel/database'
import { engineFailure } from './errors.ts'

/** The load of the engine and its limits. */
export interface Capacity {
  /** Call before enqueueing an execution for a request. Throws `queue_full` when the queue is full or the account has used up its share. */
  requireQueueCapacity(accountId: string): Promise<void>
  /** Executions of an account that are running or wait for a worker. The limit of the account counts them. */
  activeOf(accountId: string): Promise<number>
}

interface CapacityOptions {
  readonly database: Pick<Database, 'query'>
  /** Maximum of queued executions of all accounts. */
  readonly queueLimit: number
  readonly now?: () => number
}

/**
 * An account may have this many times as many queued executions as are free for all. The share adapts to the load, like the dynamic
 * thresholds of a switch with shared memory: one account alone gets four fifths of the queue, two get four ninths each, and a part always
 * stays free for an account that has none.
 */
const shareOfFree = 4

const retryAfterSeconds = 5

/** With more accounts, those that were counted first are counted again. */
const maxCountedAccounts = 1000

/**
 * Of the queue, executions count that have not begun. One that was woken, or resumes after a crash, was counted when it started: when very
 * many are woken together, they keep no other account from starting. So many rows are looked at for each that may count.
 */
const lookedAt = 10

const queuedStatement = `
  select count(*) filter (where started_at is null)::integer as count
  from (select started_at from engine_executions where work_state = 'queued' limit ${lookedAt} * $1) as queued
`

/** One part for each index by account. */
export const queuedOfAccountStatement = `
  select count(*) filter (where started_at is null)::integer as count
  from (
    select started_at from engine_executions where account_id = $2 and work_state = 'queued' and work_due_at < 'infinity'
    union all
    select started_at from engine_executions where account_id = $2 and work_state = 'queued' and work_due_at = 'infinity'
    limit ${lookedAt} * $1
  ) as queued
`

const activeStatement = `
  select greatest(0, known.admitted - (
    select coalesce(sum(ends.ended), 0) from engine_account_ends as ends
    where ends.account_id = known.account_id
  ))::integer as active
  from engine_accounts as known
  where known.account_id = $1
`

export function createCapacity({
  database,
  queueLimit,
  now = () => performance.now(),
}: CapacityOptions): Capacity {
  const queued = createRecentCount(async () => {
    const [row] = await database.query<{ count: number }>(queuedStatement, [queueLimit], 'engine_queue_size')
    return row?.count ?? 0
  }, now)
  const queuedByAccount = new Map<string, RecentCount>()

  function queuedOf(accountId: string): RecentCount {
    const known = queuedByAccount.get(accountId)
    if (known !== undefined) return known
    const [oldest] = queuedByAccount.keys()
    if (queuedByAccount.size >= maxCountedAccounts && oldest !== undefined) queuedByAccount.delete(oldest)
    const count = createRecentCount(async () => {
      const values = [queueLimit, accountId]
      const [row] = await database.query<{ count: number }>(
        queuedOfAccountStatement,
        values,
        'engine_queue_of_account',
      )
      return row?.count ?? 0
    }, now)
    queuedByAccount.set(accountId, count)
    return count
  }

  const free = () => Math.max(0, queueLimit - queued.value())
  const share = () => shareOfFree * free()
  /** Whether an account can have used up its share: it has at most as many executions as all together. */
  const mayExceedShare = () => free() > 0 && queued.value() >= share()

  return {
    async requireQueueCapacity(accountId) {
      await queued.refresh()
      const own = mayExceedShare() ? queuedOf(accountId) : undefined
      if (own !== undefined) await own.refresh()
      if (free() === 0)
        throw engineFailure('queue_full', { details: { limit: queueLimit }, retryAfterSeconds })
      if (own !== undefined && own.value() >= share())
        throw shareUsedUp({ limit: queueLimit, own: own.value(), share: share() })
      queued.add()
      queuedByAccount.get(accountId)?.add()
    },

    async activeOf(accountId) {
      const [row] = await database.query<{ active: number }>(activeStatement, [accountId])
      return row?.active ?? 0
    },
  }
}

function shareUsedUp(queue: { readonly limit: number; readonly own: number; readonly share: number }) {
  return engineFailure('queue_full', {
    message: `The queue is nearly full. This account has ${queue.own} queued executions and may have ${queue.share} until the queue is shorter. Wait until some have started, or cancel some.`,
    details: { limit: queue.limit, account_queued: queue.own, account_limit: queue.share },
    retryAfterSeconds,
  })
}

/** A count that is read at most once a second. What is added here in between counts, too. */
interface RecentCount {
  refresh(): Promise<void>
  value(): number
  add(): void
}

const readEveryMs = 1000

function createRecentCount(read: () => Promise<number>, now: () => number): RecentCount {
  let count = 0
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function readAnew(): Promise<void> {
    count = await read()
    readAt = now()
  }

  return {
    async refresh() {
      if (now() - readAt < readEveryMs) return
      reading ??= readAnew().finally(() => {
        reading = undefined
      })
      await reading
    },
    value: () => count,
    add() {
      count += 1
    },
  }
}

import type { Database } from '#kernel/database'
import { engineFailure } from './errors.ts'

/** How much may be asked of the engine, and how much is. */
export interface Capacity {
  /** Before something is put into the queue for somebody who asks. Throws `queue_full`. */
  requireRoomInQueue(): Promise<void>
  /** Executions of an account that are under way or wait for a worker alone: those its limit counts. */
  activeOf(accountId: string): Promise<number>
}

interface CapacityOptions {
  readonly database: Pick<Database, 'query'>
  /** Most executions that wait, over all accounts. */
  readonly queueLimit: number
  readonly now?: () => number
}

/** The queue is counted this often at most; what is added here in between counts as well. */
const countEveryMs = 1000

/** A full queue is not empty in a moment. */
const retryAfterSeconds = 5

export function createCapacity({
  database,
  queueLimit,
  now = () => performance.now(),
}: CapacityOptions): Capacity {
  let waiting = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  async function count(): Promise<void> {
    const [row] = await database.query<{ count: number }>(
      `
        select count(*)::integer as count
        from (select from engine_executions where work_state = 'queued' limit $1) as waiting
      `,
      [queueLimit],
      'engine_queue_size',
    )
    waiting = row?.count ?? 0
    countedAt = now()
  }

  return {
    async requireRoomInQueue() {
      if (now() - countedAt >= countEveryMs) {
        counting ??= count().finally(() => {
          counting = undefined
        })
        await counting
      }
      if (waiting >= queueLimit) {
        throw engineFailure('queue_full', { details: { limit: queueLimit }, retryAfterSeconds })
      }
      waiting += 1
    },

    async activeOf(accountId) {
      const [row] = await database.query<{ active: number }>(
        `
          select greatest(0, known.admitted - (
            select coalesce(sum(ends.ended), 0) from engine_account_ends as ends
            where ends.account_id = known.account_id
          ))::integer as active
          from engine_accounts as known
          where known.account_id = $1
        `,
        [accountId],
      )
      return row?.active ?? 0
    },
  }
}

import type { Database } from '#kernel/database'
import { type Executor, runStatement } from './executor.ts'
import type { QueueDefinition } from './queue.ts'
import { workChannel, writeMessage } from './work-channel.ts'

interface SweepOptions {
  readonly workerId: string
  readonly heartbeatMs: number
  readonly deadAfterMs: number
}

interface SweepResult {
  readonly deadWorkers: readonly { readonly id: string; readonly name: string }[]
  readonly rows: readonly { readonly queue: string; readonly count: number }[]
}

/** Returns rows to their queues: those of dead workers, and those of a worker that stops. */
export interface Handover {
  /**
   * Removes workers without a recent heartbeat and requeues the rows of removed workers, in one transaction. It only changes `running`
   * rows, never finished ones. Undefined when there is nothing to do, or when this worker may not sweep.
   */
  sweep(options: SweepOptions): Promise<SweepResult | undefined>
  /** Requeues all rows leased by the worker and removes it. */
  leave(workerId: string): Promise<void>
}

/**
 * After an outage or a freeze all heartbeats are old although no worker is dead. So only a worker whose own heartbeat is recent may sweep,
 * and not right after its start: workers that were cut off from the database need a moment for their next heartbeat.
 */
const maySweep = `
  exists (
    select 1 from kernel_workers
    where id = $1
      and heartbeat_at > now() - $2 * interval '1 millisecond'
      and started_at < now() - $2 * interval '1 millisecond'
  )
`

const removeDeadStatement = `
  delete from kernel_workers
  where id in (
    select id from kernel_workers
    where heartbeat_at < now() - $1 * interval '1 millisecond'
    order by id
    for update skip locked
  )
  returning id, name
`

const isAbandoned = `work_state = 'running' and not exists (select 1 from kernel_workers where id = work_worker)`

// Locked rows are skipped: their worker is writing a result, and the next sweep sees the outcome.
const requeueAbandoned = ({ table, key }: QueueDefinition) => `
  update ${table} set work_state = 'queued', work_worker = null, work_fence = work_fence + 1
  where ${key} in (
    select ${key} from ${table} where ${isAbandoned} for update skip locked
  )
  returning 1
`

const requeueLeased = ({ table }: QueueDefinition) => `
  update ${table}
  set work_state = 'queued', work_worker = null, work_fence = work_fence + 1,
    work_attempts = greatest(work_attempts - 1, 0)
  where work_state = 'running' and work_worker = $1
  returning 1
`

async function requeue(executor: Executor, { name }: QueueDefinition, statement: string, values: unknown[]) {
  const { length: count } = await runStatement(executor, statement, values)
  if (count > 0) {
    const message = writeMessage({ kind: 'wake', queue: name, delayMs: 0 })
    await runStatement(executor, 'select pg_notify($1, $2)', [workChannel, message])
  }
  return { queue: name, count }
}

export function createHandover(database: Database, queues: readonly QueueDefinition[]): Handover {
  const isNeededStatement = `
    select (${maySweep}) and (
      exists (select 1 from kernel_workers where heartbeat_at < now() - $3 * interval '1 millisecond')
      ${queues.map((queue) => `or exists (select 1 from ${queue.table} where ${isAbandoned})`).join('\n')}
    ) as needed
  `

  return {
    async sweep({ workerId, heartbeatMs, deadAfterMs }) {
      const freshMs = heartbeatMs * 2.5
      const [row] = await database.query<{ needed: boolean }>(isNeededStatement, [
        workerId,
        freshMs,
        deadAfterMs,
      ])
      if (row?.needed !== true) return undefined
      return database.transaction(async (transaction) => {
        const deadWorkers = await runStatement<{ id: string; name: string }>(
          transaction,
          removeDeadStatement,
          [deadAfterMs],
        )
        const rows: SweepResult['rows'][number][] = []
        for (const queue of queues) rows.push(await requeue(transaction, queue, requeueAbandoned(queue), []))
        return { deadWorkers, rows: rows.filter((it) => it.count > 0) }
      })
    },

    leave: (workerId) =>
      database.transaction(async (transaction) => {
        for (const queue of queues) await requeue(transaction, queue, requeueLeased(queue), [workerId])
        await runStatement(transaction, 'delete from kernel_workers where id = $1', [workerId])
      }),
  }
}

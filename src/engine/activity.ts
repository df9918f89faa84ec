import type { Database } from '#kernel/database'
import type { WorkerDirectory } from '#kernel/work'
import { coverPeriod } from './history/period.ts'
import { readSome } from './history/read-sums.ts'
import { flowRollUp } from './history/roll-up.ts'
import { executionQueue } from './store/queue.ts'

/** Numbers of unfinished executions, of all accounts. */
interface OpenExecutions {
  readonly running: number
  /** All queued executions, including parked ones. */
  readonly queued: number
  /** Executions that wait for a slot of their account, or for an approval. */
  readonly parked: number
}

/** Current and past load of the engine. Its queries take the same time with a million executions as with a thousand. */
export interface Activity {
  open(): Promise<OpenExecutions>
  /** Ids of running executions, the oldest first. */
  running(which: {
    readonly accountId: string | undefined
    readonly limit: number
  }): Promise<readonly string[]>
  /** How many executions ended since a time. The last five seconds may be missing: they are not rolled up yet. */
  ended(from: Date): Promise<{ readonly executions: number; readonly failed: number }>
}

/** Longer queues are not counted further: the exact number does not matter, and counting takes time. */
const maxCounted = 100_000

const runningCount = `(select count(*) from engine_executions where work_state = 'running')`

const queuedCount = `
  (select count(*) from (select from engine_executions where work_state = 'queued' limit ${maxCounted}) as counted)
`

const openStatement = `
  select ${runningCount} as running, ${queuedCount} as queued,
    (
      select count(*)
      from (select from engine_executions where work_state = 'queued' and work_due_at = 'infinity' limit ${maxCounted}) as counted
    ) as parked
`

const runningStatement = `
  select id from engine_executions
  where work_state = 'running' and ($1::uuid is null or account_id = $1)
  order by id
  limit $2
`

export function createActivity(database: Pick<Database, 'query'>): Activity {
  return {
    async open() {
      const [row] = await database.query<OpenExecutions>(openStatement, [], 'engine_open')
      return row ?? { running: 0, queued: 0, parked: 0 }
    },
    async running({ accountId, limit }) {
      const rows = await database.query<{ id: string }>(runningStatement, [accountId ?? null, limit])
      return rows.map(({ id }) => id)
    },
    async ended(from) {
      const [sums] = await readSome((text, values) => database.query(text, values), flowRollUp, {
        segments: coverPeriod({ from, to: undefined }, new Date()),
        flows: 'all',
        groupBy: [],
        sums: ['executions', 'failed'],
      })
      return sums ?? { executions: 0, failed: 0 }
    },
  }
}

/** The names of the gauges of `createExecutionGauge`. */
export const executionGauges = {
  running: 'running_executions',
  queued: 'queued_executions',
  places: 'execution_places',
} as const

/** Gauges are read every second. The count of a queue of this many executions is reused for this long, proportionally for others. */
const recount = { executions: 10_000, afterMs: 1000 } as const

/**
 * Creates a sampler of gauges: running and queued executions, and the concurrency of all live workers together. The sampler throws when
 * the database is unavailable.
 */
export function createExecutionGauge({
  database,
  workers,
  executionConcurrency,
  now = () => performance.now(),
}: {
  readonly database: Pick<Database, 'query'>
  readonly workers: WorkerDirectory
  readonly executionConcurrency: number
  readonly now?: () => number
}): () => Promise<Readonly<Record<string, number>>> {
  let queued = 0
  let countAt = Number.NEGATIVE_INFINITY

  async function count(): Promise<number> {
    const isDue = now() >= countAt
    const [row] = await database.query<{ running: number; queued: number | null }>(
      `select ${runningCount} as running, ${isDue ? queuedCount : 'null::bigint'} as queued`,
      [],
      isDue ? 'engine_gauge' : 'engine_gauge_running',
    )
    if (isDue) {
      queued = row?.queued ?? 0
      countAt = now() + (queued / recount.executions) * recount.afterMs
    }
    return row?.running ?? 0
  }

  return async () => {
    const [running, known] = await Promise.all([count(), workers.list()])
    const serving = known.filter(({ alive, queues }) => alive && queues.includes(executionQueue.name))
    return {
      [executionGauges.running]: running,
      [executionGauges.queued]: queued,
      [executionGauges.places]: serving.length * executionConcurrency,
    }
  }
}

import type { Database } from '#kernel/database'
import type { Metrics } from '#kernel/telemetry'
import type { QueueDefinition } from './queue.ts'

/** More rows than these are not read: a scrape must stay cheap when a queue is long. */
const maxRows = 10_000

/** Metrics must be readable while the database restarts: then the gauges have no value. */
const maxReadMs = 1000

interface Backlog {
  readonly queue: string
  readonly due: number
  readonly oldest: number
}

/**
 * Declares the gauges of rows that are due and that no worker has claimed. Their values are those of all processes, and missing while the
 * database is unavailable and once they are disposed of. Never throws.
 */
export function declareBacklogGauges({
  database,
  metrics,
  queues,
}: {
  readonly database: Pick<Database, 'query'>
  readonly metrics: Pick<Metrics, 'gauge'>
  readonly queues: readonly Pick<QueueDefinition, 'name' | 'table'>[]
}): Disposable {
  let isOpen = true
  let reading: Promise<readonly Backlog[]> | undefined
  const statement = queues.map(({ name, table }) => backlogOf(name, table)).join(' union all ')

  /** Both gauges are collected at the same time, and share one statement. */
  function read(): Promise<readonly Backlog[]> {
    if (!isOpen) throw new Error('the database is closed')
    reading ??= within(maxReadMs, database.query<Backlog>(statement, [])).finally(() => {
      reading = undefined
    })
    return reading
  }

  metrics.gauge({
    name: 'work_due',
    help: `Rows of all processes that are due and that no worker has claimed, up to ${maxRows}.`,
    labels: ['queue'],
    async collect(gauge) {
      for (const { queue, due } of await read()) gauge.set({ queue }, due)
    },
  })
  metrics.gauge({
    name: 'work_oldest_due_seconds',
    help: 'For how long the oldest of these rows has been due.',
    labels: ['queue'],
    async collect(gauge) {
      for (const { queue, oldest } of await read()) gauge.set({ queue }, oldest)
    },
  })
  return {
    [Symbol.dispose]() {
      isOpen = false
    },
  }
}

/** Names of queues and tables are those of the program. */
function backlogOf(name: string, table: string): string {
  return `
    select '${name}' as queue, count(*) as due,
      coalesce(extract(epoch from now() - min(work_due_at)), 0)::double precision as oldest
    from (select work_due_at from ${table} where work_state = 'queued' and work_due_at <= now() limit ${maxRows}) as due
  `
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no result within ${ms} ms`)), ms)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
    // The statement may fail later, unobserved.
    value.catch(() => {})
  }
}

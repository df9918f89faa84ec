import type { Database } from '#kernel/database'
import type { Metrics } from '#kernel/telemetry'

/** Above this number executions are not counted further. */
const maxCounted = 1_000_000

/** Metrics must be readable while the database restarts: then the gauge has no value. */
const maxCountMs = 1000

/** A count of this many executions is reused for this long, proportionally for others, so that frequent scrapes cost little. */
const reuse = { executions: 10_000, forMs: 1000 } as const

const countOf = (state: string) =>
  `(select count(*) from (select from engine_executions where work_state = '${state}' limit ${maxCounted}) as counted)`

const countStatement = `select ${countOf('suspended')} as suspended, ${countOf('gated')} as gated`

/**
 * Declares the gauge of executions that no worker has: suspended ones only wait, gated ones are kept back by the limits of their flow. Its
 * value is that of all processes, and missing while the database is unavailable, and once the gauge is disposed of. Never throws.
 */
export function declareWaitingGauge({
  database,
  metrics,
  now = () => performance.now(),
}: {
  readonly database: Pick<Database, 'query'>
  readonly metrics: Pick<Metrics, 'gauge'>
  readonly now?: () => number
}): Disposable {
  let isOpen = true
  let counts = { suspended: 0, gated: 0 }
  let countAt = Number.NEGATIVE_INFINITY
  metrics.gauge({
    name: 'executions_waiting',
    help: 'Executions of all processes without a worker: suspended, or gated by the limits of their flow.',
    labels: ['state'],
    async collect(gauge) {
      if (!isOpen) throw new Error('the database is closed')
      if (now() >= countAt) {
        const counting = database.query<typeof counts>(countStatement, [], 'engine_waiting_gauge')
        const [row] = await within(maxCountMs, counting)
        counts = row ?? counts
        countAt = now() + ((counts.suspended + counts.gated) / reuse.executions) * reuse.forMs
      }
      gauge.set({ state: 'suspended' }, counts.suspended)
      gauge.set({ state: 'gated' }, counts.gated)
    },
  })
  return {
    [Symbol.dispose]() {
      isOpen = false
    },
  }
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no count within ${ms} ms`)), ms)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
    // The count may fail later, unobserved.
    value.catch(() => {})
  }
}

import { type Database, migrate } from '#kernel/database'
import { createLimiter, limitsMigrations } from '#kernel/limits'
import { createMetrics } from '#kernel/telemetry'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'

const callers = 50
const keys = 20
const measureMs = 1000
const rule = { limit: 1_000_000, windowSeconds: 3600 }

/** The simplest implementation: every request updates the shared row. */
const countStatement = `
  insert into bench_counts as known (key, used, ends_at)
  values ($1, 1, now() + $2 * interval '1 second')
  on conflict (key) do update set
    used = case when known.ends_at <= now() then 1 else known.used + 1 end,
    ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
  returning used <= $3 as allowed
`

/** Fifty callers send requests for twenty accounts, each after the previous response. */
function createContender(
  name: string,
  { take, statements }: { take: (key: string) => Promise<unknown>; statements: () => number },
): Contender {
  return {
    name,
    async measure() {
      const before = statements()
      const startedAt = performance.now()
      let taken = 0
      const running = Array.from({ length: callers }, async (_, caller) => {
        const key = `account ${caller % keys}`
        while (performance.now() - startedAt < measureMs) {
          await take(key)
          taken += 1
          // Every request is a separate event loop turn.
          await new Promise(setImmediate)
        }
      })
      await Promise.all(running)
      const seconds = (performance.now() - startedAt) / 1000
      return {
        value: taken / seconds,
        beside: { 'statements per 1,000': ((statements() - before) / taken) * 1000 },
      }
    },
  }
}

function countStatements(database: Database): {
  readonly database: Database
  readonly statements: () => number
} {
  let statements = 0
  return {
    statements: () => statements,
    database: {
      ...database,
      query(text, values) {
        statements += 1
        return database.query(text, values)
      },
    },
  }
}

const benchmark: Benchmark = {
  question: 'How many requests per second can be counted against limits that replicas share?',
  unit: 'requests/s',
  better: 'higher',
  baseline: 'a statement for each request',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database } = closing.use(await openBenchDatabase())
    await migrate(database, [limitsMigrations], quiet)
    await database.query(
      'create unlogged table bench_counts (key text primary key, used integer, ends_at timestamptz)',
    )
    const each = countStatements(database)
    const leased = countStatements(database)
    const limiter = closing.use(
      createLimiter({
        database: leased.database,
        log: quiet,
        metrics: createMetrics({ watchProcess: false }),
      }),
    )
    const memory = new Map<string, number>()
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        createContender('a statement for each request', {
          take: (key) => each.database.query(countStatement, [key, rule.windowSeconds, rule.limit]),
          statements: each.statements,
        }),
        createContender('leases', {
          take: (key) => limiter.take(key, rule),
          statements: leased.statements,
        }),
        createContender('each replica for itself', {
          take: async (key) => memory.set(key, (memory.get(key) ?? 0) + 1),
          statements: () => 0,
        }),
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark

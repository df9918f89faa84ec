import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createLimiter, type Limiter, type LimitRule, limitsMigrations, type Taken } from '#kernel/limits'
import { createLogger, createMetrics, type Logger, type Metrics } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const quiet: Logger = createLogger({ level: 'silent', format: 'json' })

/** The limiter of one replica, with the statements it sent. */
export interface Replica {
  readonly limiter: Limiter
  readonly metrics: Metrics
  statements(): number
}

/** A database with the shared counts, and replicas on it. All end with the scope. */
export interface LimitsScene extends AsyncDisposable {
  readonly database: TestDatabase
  startReplica(options?: { readonly database?: Database; readonly maxKeys?: number }): Replica
}

export async function openLimitsScene(): Promise<LimitsScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase({ start: 'empty' }))
  await migrate(database, [limitsMigrations], quiet)
  const opened = closing.move()
  return {
    database,
    startReplica({ database: own = database, ...options } = {}) {
      const metrics = createMetrics({ watchProcess: false })
      let statements = 0
      const counting: Database = {
        ...own,
        query(text, values) {
          statements += 1
          return own.query(text, values)
        },
      }
      const limiter = opened.use(createLimiter({ database: counting, log: quiet, metrics, ...options }))
      return { limiter, metrics, statements: () => statements }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A separate pool, like another process. */
export function connectAgain(url: string, environment: Record<string, string> = {}): Promise<Database> {
  const settings = readSettings(databaseSettings, { ...environment, DATABASE_URL: url })
  return openDatabase({ settings, log: quiet })
}

/** Sends requests sequentially. */
export async function takeTimes(
  { limiter }: Replica,
  count: number,
  rule: LimitRule,
  key = 'someone',
): Promise<Taken[]> {
  const taken: Taken[] = []
  for (let round = 0; round < count; round += 1) taken.push(await limiter.take(key, rule))
  return taken
}

export const countAllowed = (taken: readonly Taken[]): number => taken.filter(({ allowed }) => allowed).length

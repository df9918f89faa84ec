import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Database, migrate } from '#kernel/database'
import { workMigrations } from '#kernel/work'
import { engineMigrations } from '../../src/engine/migrations.ts'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { percentile } from '../summary.ts'
import type { Woken } from './engine-process.ts'
import { loadSuspended } from './load-suspended.ts'

/** Executions that are woken in one measurement, and the time over which their timers end. */
const [woken, overMs] = [500, 2000]

/** The engine in its own process. */
interface EngineProcess extends AsyncDisposable {
  /** A suspended execution. */
  readonly original: string
  /** Waits until the step after the wait of all these executions has begun. */
  wait(ids: readonly string[]): Promise<Woken>
}

async function startEngine(url: string): Promise<EngineProcess> {
  const child = fork(new URL('./engine-process.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: url },
  })
  const [original] = (await once(child, 'message')) as [string]
  return {
    original,
    async wait(ids) {
      child.send(ids)
      const [answer] = (await once(child, 'message')) as [Woken]
      return answer
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Chooses executions whose timers end soon. `Date` is the clock of the database as well: both run on this machine. */
const wakeStatement = `
  with chosen as (
    select id, now() + random() * $2 * interval '1 millisecond' as at
    from engine_waits where state = 'open' order by id desc limit $1
  )
  update engine_waits as wait set wake_at = chosen.at
  from chosen where wait.id = chosen.id
  returning wait.execution_id as id, (extract(epoch from chosen.at) * 1000)::float8 as at
`

interface Suspended {
  readonly database: Database
  readonly engine: EngineProcess
  readonly count: number
  readonly databaseBytes: number
}

function createContender(name: string, { database, engine, count, databaseBytes }: Suspended): Contender {
  return {
    name,
    async measure() {
      const due = await database.query<{ id: string; at: number }>(wakeStatement, [woken, overMs])
      const { begunAt, memoryBytes } = await engine.wait(due.map(({ id }) => id))
      const lateMs = due.map(({ at }, index) => Math.max(0, (begunAt[index] ?? 0) - at))
      return {
        value: percentile(lateMs, 0.99),
        beside: {
          'p50 ms': percentile(lateMs, 0.5),
          'MB database': databaseBytes / 1e6,
          'bytes/execution': databaseBytes / count,
          'MB memory': memoryBytes / 1e6,
        },
      }
    },
  }
}

const sizes = [
  [5000, 'with 5,000 suspended'],
  [1_000_000, 'with 1,000,000 suspended'],
] as const

const benchmark: Benchmark = {
  question: 'How late do suspended executions continue, and what does a million of them cost?',
  unit: 'p99 ms',
  better: 'lower',
  baseline: sizes[0][1],

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const contenders: Contender[] = []
    let version = ''
    for (const [count, name] of sizes) {
      const { database, url } = closing.use(await openBenchDatabase())
      await migrate(database, [workMigrations, engineMigrations], quiet)
      const engine = closing.use(await startEngine(url))
      const databaseBytes = await loadSuspended(database, engine.original, count)
      contenders.push(createContender(name, { database, engine, count, databaseBytes }))
      version = database.version
    }
    const opened = closing.move()
    return {
      versions: { PostgreSQL: version },
      contenders,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Benchmark, Contender } from '../benchmark.ts'
import { type BenchDatabase, openBenchDatabase } from '../embedded-database.ts'

const appender = fileURLToPath(new URL('./appender.ts', import.meta.url))
const measureMs = 2000
const run = promisify(execFile)

function createContender({ database, url }: BenchDatabase, ids: string, processes: 1 | 2): Contender {
  return {
    name: `${ids}, ${processes === 1 ? 'one process' : 'two processes'}`,
    async measure() {
      await database.query('truncate bench_events')
      const rates = await Promise.all(
        Array.from({ length: processes }, async () => {
          const env = { ...process.env, DATABASE_URL: url }
          const { stdout } = await run(process.execPath, [appender, ids, String(measureMs)], { env })
          return Number(stdout)
        }),
      )
      return { value: rates.reduce((sum, rate) => sum + rate, 0) }
    },
  }
}

const benchmark: Benchmark = {
  question: 'What does it cost to draw event ids from one locked counter row instead of a sequence?',
  unit: 'events/s',
  better: 'higher',
  baseline: 'sequence, one process',

  async setUp() {
    const opened = await openBenchDatabase()
    const { database } = opened
    await database.withSession((session) =>
      session.query(`
        create sequence bench_event_ids;
        create table bench_event_clock (only_row boolean primary key, last_id bigint not null) with (fillfactor = 10);
        insert into bench_event_clock values (true, 0);
        create table bench_events (
          id bigint primary key, type text not null, subject text, account text, data jsonb not null,
          created_at timestamptz not null
        );
        create index on bench_events (subject, id);
        create index on bench_events (account, id);
      `),
    )
    return {
      versions: { PostgreSQL: database.version },
      contenders: ([1, 2] as const).flatMap((processes) =>
        ['sequence', 'counter', 'counter and notify'].map((ids) => createContender(opened, ids, processes)),
      ),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  },
}

export default benchmark

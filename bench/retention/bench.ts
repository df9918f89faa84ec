import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#kernel/database'
import type { Benchmark, Contender, Measurement } from '../benchmark.ts'
import { processorMs } from '../engine/processor-time.ts'
import { openLoaded } from '../growth/open-loaded.ts'
import { pause } from '../growth/questions.ts'
import { percentile } from '../summary.ts'
import { createDeletions, type Deletion } from './deletions.ts'

const executions = Number(process.env['EXECUTIONS'] ?? 200_000)
const minAnswers = 15
const baseline = 'nothing is deleted'

interface Deleted {
  readonly perSecond: number
  readonly postgresMs: number
}

function describe(took: readonly number[], deleted: Deleted = { perSecond: 0, postgresMs: 0 }): Measurement {
  return {
    value: percentile(took, 0.5),
    beside: {
      'p95 ms': percentile(took, 0.95),
      'deleted/s': deleted.perSecond,
      'PostgreSQL ms/1,000 rows': deleted.postgresMs,
    },
  }
}

async function readPostgresPid(database: Database): Promise<number> {
  const [row] = await database.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  return Number.parseInt(await readFile(join(row?.folder ?? '', 'postmaster.pid'), 'utf8'), 10)
}

const benchmark: Benchmark = {
  question: `How much longer does a start take while retention deletes rows, with ${executions.toLocaleString('en')} executions?`,
  unit: 'ms p50',
  better: 'lower',
  baseline,

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { call, database, events, questions } = closing.use(await openLoaded(executions))
    const postgres = await readPostgresPid(database)
    const [start] = questions
    if (start?.name !== 'start') throw new Error('the first question is not about a start')
    const { path, body } = start

    async function measureStarts(isOver: () => boolean): Promise<readonly number[]> {
      const took: number[] = []
      while (took.length < minAnswers || !isOver()) {
        await pause()
        const startedAt = performance.now()
        await call(path, body)
        took.push(performance.now() - startedAt)
      }
      return took
    }

    async function countRows(table: string): Promise<number> {
      const [row] = await database.query<{ count: number }>(`select count(*) from ${table}`)
      return row?.count ?? 0
    }

    const contenderOf = ({ name, table, prepare, run }: Deletion): Contender => ({
      name,
      async measure() {
        await prepare()
        const before = await countRows(table)
        let seconds: number | undefined
        let postgresMs = 0
        async function runTimed(): Promise<number> {
          const startedAt = performance.now()
          const spentBefore = processorMs(postgres)
          await run()
          seconds = (performance.now() - startedAt) / 1000
          postgresMs = processorMs(postgres) - spentBefore
          return seconds
        }
        const [ranSeconds, took] = await Promise.all([runTimed(), measureStarts(() => seconds !== undefined)])
        const deleted = Math.max(0, before - (await countRows(table)))
        return describe(took, {
          perSecond: deleted / ranSeconds,
          postgresMs: (postgresMs * 1000) / deleted,
        })
      },
    })

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        { name: baseline, measure: async () => describe(await measureStarts(() => true)) },
        ...createDeletions(database, events).map(contenderOf),
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark

import { createBatchWriter, type Database } from '#kernel/database'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase } from '../embedded-database.ts'

interface Step {
  readonly run: number
  readonly step: number
  readonly output: string
}

const concurrency = 50
const stepsPerRun = 5
const measureMs = 2000

/** About 200 bytes, as the output of a small step. */
const output = JSON.stringify({ text: 'x'.repeat(150), tokens: 42, cost_microdollars: 1200 })

const oneStatement = 'insert into bench_steps (run, step, output) values ($1, $2, $3::jsonb)'
const manyStatement = `
  insert into bench_steps (run, step, output)
  select run, step, output from json_to_recordset($1::json) as entry (run bigint, step integer, output jsonb)
`

/** Executes five-step runs concurrently; a step starts when the commit of the previous one is confirmed. */
function createContender(
  name: string,
  store: (step: Step) => Promise<unknown>,
  database: Database,
): Contender {
  return {
    name,
    async measure() {
      await database.query('truncate bench_steps')
      const startedAt = performance.now()
      const startedCpu = process.cpuUsage()
      let runs = 0
      let nextRun = 0
      const workers = Array.from({ length: concurrency }, async () => {
        while (performance.now() - startedAt < measureMs) {
          const run = nextRun++
          for (let step = 1; step <= stepsPerRun; step++) await store({ run, step, output })
          runs += 1
        }
      })
      await Promise.all(workers)
      const seconds = (performance.now() - startedAt) / 1000
      const { user, system } = process.cpuUsage(startedCpu)
      await checkStored(database, runs)
      return { value: runs / seconds, beside: { 'Node CPU ms/run': (user + system) / 1000 / runs } }
    },
  }
}

/** Throws unless all rows are stored: a fast number without them would be meaningless. */
async function checkStored(database: Database, runs: number): Promise<void> {
  const [row] = await database.query<{ count: number }>('select count(*) from bench_steps')
  if (row?.count !== runs * stepsPerRun) throw new Error(`${row?.count} steps stored of ${runs} runs`)
}

const benchmark: Benchmark = {
  question: 'How many durable five-step runs per second, when steps that wait together share a commit?',
  unit: 'runs/s',
  better: 'higher',
  baseline: 'one commit per step',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database } = closing.use(await openBenchDatabase())
    await database.query(`
      create table bench_steps (run bigint, step integer, output jsonb not null, primary key (run, step))
    `)
    const writer = closing.use(
      createBatchWriter<Step, undefined>({
        async flush(steps) {
          const entries = steps.map(
            ({ run, step, output: text }) => `{"run":${run},"step":${step},"output":${text}}`,
          )
          await database.query(manyStatement, [`[${entries.join(',')}]`])
          return steps.map(() => undefined)
        },
      }),
    )
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        createContender(
          'one commit per step',
          ({ run, step, output: text }) => database.query(oneStatement, [run, step, text]),
          database,
        ),
        createContender('batched commits', (step) => writer.write(step), database),
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark

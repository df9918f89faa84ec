import { migrate } from '#kernel/database'
import { createMetrics } from '#kernel/telemetry'
import { createWorker, defineQueue, serveQueue, workMigrations } from '#kernel/work'
import type { Benchmark, Measurement } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { percentile } from '../summary.ts'

interface Job {
  readonly id: number
}

const samples = 200
const anonymousPrincipal = (): void => {}

/** Starts one job after the other and returns how long each took to start. */
async function measureStarts(ask: (started: () => void) => Promise<void>): Promise<Measurement> {
  const waitsMs: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const { promise, resolve } = Promise.withResolvers<number>()
    const askedAt = performance.now()
    await ask(() => resolve(performance.now() - askedAt))
    waitsMs.push(await promise)
  }
  return { value: percentile(waitsMs, 0.5), beside: { 'p99 ms': percentile(waitsMs, 0.99) } }
}

const benchmark: Benchmark = {
  question: 'How long from adding a row to the start of its handler on an idle worker?',
  unit: 'p50 ms',
  better: 'lower',
  baseline: 'insert and hear the NOTIFY',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database } = closing.use(await openBenchDatabase())
    await migrate(database, [workMigrations], quiet)
    await database.withSession((session) =>
      session.query(`
        create table bench_notes (id bigint generated always as identity primary key);
        create table bench_jobs (
          id bigint generated always as identity primary key,
          work_state text not null default 'queued',
          work_due_at timestamptz not null default now(),
          work_priority smallint not null default 0,
          work_worker uuid,
          work_fence bigint not null default 0,
          work_attempts integer not null default 0
        );
        create index on bench_jobs (work_priority desc, work_due_at) where work_state = 'queued';
        create index on bench_jobs (work_worker) where work_state = 'running';
      `),
    )

    let heard = anonymousPrincipal
    closing.use(await database.listen('bench_notes', () => heard()))

    let started = anonymousPrincipal
    const jobs = defineQueue<Job>({ name: 'jobs', table: 'bench_jobs', key: 'id' })
    const worker = createWorker({
      database,
      log: quiet,
      metrics: createMetrics({ watchProcess: false }),
      role: 'worker',
      queues: [
        serveQueue({
          queue: jobs,
          concurrency: 10,
          async handle(claim) {
            started()
            await jobs.finish(database, claim)
          },
        }),
      ],
    })
    closing.defer(() => worker.stop())
    await worker.start()

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        {
          name: 'insert and hear the NOTIFY',
          measure: () =>
            measureStarts(async (tell) => {
              heard = tell
              await database.query(`
                with note as (insert into bench_notes default values returning id)
                select pg_notify('bench_notes', id::text) from note
              `)
            }),
        },
        {
          name: 'insert, wake, claim, start',
          measure: () =>
            measureStarts(async (tell) => {
              started = tell
              await database.transaction(async (transaction) => {
                await transaction
                  .withTables<{ bench_jobs: Job }>()
                  .insertInto('bench_jobs')
                  .defaultValues()
                  .execute()
                await jobs.wake(transaction)
              })
            }),
        },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark

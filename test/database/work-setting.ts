import { expect, vi } from 'vitest'
import { type Database, migrate } from '#kernel/database'
import { createLogger, createMetrics, type Logger } from '#kernel/telemetry'
import {
  createWorker,
  type QueueRegistration,
  serveQueue,
  type Worker,
  type WorkerOptions,
  workMigrations,
} from '#kernel/work'
import { patience } from '../support/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Chore, chores, choresTable } from './work-chores.ts'

export const quiet: Logger = createLogger({ level: 'silent', format: 'json' })

/** A database with a queue of chores, and the workers that were started on it. All end with the scope. */
export interface ChoreScene extends AsyncDisposable {
  readonly database: TestDatabase
  startWorker(handle: QueueRegistration<Chore>['handle'], options?: ChoreWorkerOptions): Promise<Worker>
  /** Closes another resource with the scene, before the database. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource
}

type ChoreWorkerOptions = Partial<WorkerOptions> & {
  readonly concurrency?: number
  readonly localConcurrency?: number
  readonly sharedBy?: 'label'
}

export async function openChoreScene(): Promise<ChoreScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase({ start: 'empty' }))
  await migrate(database, [workMigrations], quiet)
  await database.withSession((session) => session.query(choresTable))
  const opened = closing.move()
  return {
    database,
    async startWorker(handle, options = {}) {
      const worker = createChoreWorker(database, handle, options)
      opened.defer(() => worker.stop())
      await worker.start()
      return worker
    },
    use: (resource) => opened.use(resource),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A worker that serves only the chores. */
function createChoreWorker(
  database: Database,
  handle: QueueRegistration<Chore>['handle'],
  { concurrency = 10, localConcurrency = 10, sharedBy, ...options }: ChoreWorkerOptions = {},
): Worker {
  return createWorker({
    database,
    log: quiet,
    metrics: createMetrics({ watchProcess: false }),
    name: 'test',
    role: 'worker',
    queues: [
      serveQueue({ queue: chores, concurrency, localConcurrency, handle, ...(sharedBy && { sharedBy }) }),
    ],
    ...options,
  })
}

/** For `vi.waitFor`: a long timeout for a busy machine. */
export const patiently = { timeout: 30_000 * patience, interval: 10 }

export async function addChores(
  database: Database,
  labels: readonly string[],
  { delayMs = 0, priority = 0 } = {},
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `
      insert into chores (label, work_due_at, work_priority)
      select label, now() + $2 * interval '1 millisecond', $3 from unnest($1::text[]) as label
      returning id
    `,
    [labels, delayMs, priority],
  )
  await chores.wake(database)
  return rows.map((row) => row.id)
}

export async function readChore(database: Database, id: number | undefined): Promise<Chore> {
  const [chore] = await database.query<Chore>('select * from chores where id = $1', [id])
  if (chore === undefined) throw new Error(`no chore ${id}`)
  return chore
}

export async function untilState(
  database: Database,
  id: number | undefined,
  state: Chore['work_state'],
): Promise<void> {
  await vi.waitFor(async () => expect((await readChore(database, id)).work_state).toBe(state), patiently)
}

import { migrate } from '#kernel/database'
import { workMigrations } from '#kernel/work'
import { type Notice, type Notices, noticesMigrations } from '#notices'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type MakeNoticesOptions, makeNotices, makeWorker, quiet } from './notices-worker.ts'

interface NoticeFacts {
  readonly kind: string
  readonly recipient: string
  readonly state: string
  readonly attempts: number
  readonly problem: string | null
  readonly waitsSeconds: number
}

export interface NoticesScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly notices: Notices
  /** In a transaction of its own; usual fields need not be given. */
  post(...some: readonly Partial<Notice>[]): Promise<number>
  list(): Promise<NoticeFacts[]>
  /** Waits until so many notices have been tried so often, and answers them all. */
  untilTried(attempts: number, count?: number): Promise<NoticeFacts[]>
  until(state: string, count?: number): Promise<NoticeFacts[]>
  /** Lets the time of what waits come. */
  skipPauses(): Promise<void>
  /** Stops the worker without waiting for what it does, and starts another. */
  restart(): Promise<void>
}

/** A database with no more than notices need. */
export async function openNoticesDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [workMigrations, noticesMigrations], quiet)
  return database
}

export async function openNoticesScene(
  environment: MakeNoticesOptions['environment'],
  more: Omit<MakeNoticesOptions, 'environment'> = {},
): Promise<NoticesScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openNoticesDatabase())
  const notices = makeNotices(database, { environment, ...more })
  const startWorker = async () => {
    const started = makeWorker(database, notices, { pollMs: 100 })
    await started.start()
    return started
  }
  let worker = await startWorker()
  closing.defer(() => worker.stop())
  const opened = closing.move()

  const list = () =>
    database.query<NoticeFacts>(`
      select kind, recipient, state, attempts, problem,
        extract(epoch from work_due_at - attempted_at)::float8 as "waitsSeconds"
      from notices order by created_at, recipient
    `)
  async function untilSome(isMeant: (notice: NoticeFacts) => boolean, count: number): Promise<NoticeFacts[]> {
    await eventually(async () => (await list()).filter(isMeant).length >= count, 25)
    return list()
  }
  return {
    database,
    notices,
    post: (...some) => database.transaction((transaction) => notices.post(transaction, some.map(complete))),
    list,
    untilTried: (attempts, count = 1) => untilSome((notice) => notice.attempts >= attempts, count),
    until: (state, count = 1) => untilSome((notice) => notice.state === state, count),
    async skipPauses() {
      await database.query(`update notices set work_due_at = now() where work_state = 'queued'`)
    },
    async restart() {
      await worker.stop()
      worker = await startWorker()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function complete(notice: Partial<Notice>): Notice {
  const usual = { text: 'It is over.', about: 'execution-1' }
  if (notice.kind === 'slack') return { channel: '#ops', ...usual, ...notice }
  return { to: 'nora@example.com', subject: 'News', ...usual, ...notice, kind: 'mail' }
}

import { migrate } from '#kernel/database'
import { limitsMigrations } from '#kernel/limits'
import { workMigrations } from '#kernel/work'
import { type Notification, type Notifications, notificationsMigrations } from '#notifications'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import {
  type MakeNotificationsOptions,
  makeNotifications,
  makeWorker,
  quiet,
} from './notifications-worker.ts'

interface NotificationFacts {
  readonly kind: string
  readonly recipient: string
  readonly state: string
  readonly attempts: number
  readonly problem: string | null
  readonly waitsSeconds: number
}

export interface NotificationsScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly notifications: Notifications
  /** Posts in its own transaction; common fields have defaults. */
  post(...some: readonly Partial<Notification>[]): Promise<number>
  list(): Promise<NotificationFacts[]>
  /** Waits until this number of notifications has this number of attempts, and returns them all. */
  untilTried(attempts: number, count?: number): Promise<NotificationFacts[]>
  until(state: string, count?: number): Promise<NotificationFacts[]>
  /** Makes pending notifications due. */
  skipPauses(): Promise<void>
  /** Stops the worker without waiting for its work, and starts another. */
  restart(): Promise<void>
}

/** A database with only the tables of notifications. */
export async function openNotificationsDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [workMigrations, limitsMigrations, notificationsMigrations], quiet)
  return database
}

export async function openNotificationsScene(
  environment: MakeNotificationsOptions['environment'],
  more: Omit<MakeNotificationsOptions, 'environment'> = {},
): Promise<NotificationsScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openNotificationsDatabase())
  const notifications = makeNotifications(database, { environment, ...more })
  const startWorker = async () => {
    const started = makeWorker(database, notifications, { pollMs: 100 })
    await started.start()
    return started
  }
  let worker = await startWorker()
  closing.defer(() => worker.stop())
  const opened = closing.move()

  const list = () =>
    database.query<NotificationFacts>(`
      select kind, recipient, state, attempts, problem,
        extract(epoch from work_due_at - attempted_at)::float8 as "waitsSeconds"
      from notices order by created_at, recipient
    `)
  async function untilSome(
    isMeant: (notification: NotificationFacts) => boolean,
    count: number,
  ): Promise<NotificationFacts[]> {
    await eventually(async () => (await list()).filter(isMeant).length >= count, 25)
    return list()
  }
  return {
    database,
    notifications,
    post: (...some) =>
      database.transaction((transaction) => notifications.post(transaction, some.map(complete))),
    list,
    untilTried: (attempts, count = 1) =>
      untilSome((notification) => notification.attempts >= attempts, count),
    until: (state, count = 1) => untilSome((notification) => notification.state === state, count),
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

function complete(notification: Partial<Notification>): Notification {
  const usual = { text: 'It is over.', about: 'execution-1' }
  if (notification.kind === 'slack') return { channel: '#ops', ...usual, ...notification }
  return { to: 'nora@example.com', subject: 'News', ...usual, ...notification, kind: 'mail' }
}

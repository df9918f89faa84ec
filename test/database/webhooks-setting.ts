import { randomUUID } from 'node:crypto'
import { migrate } from '#kernel/database'
import { limitsMigrations } from '#kernel/limits'
import { workMigrations } from '#kernel/work'
import { type Webhooks, webhooksMigrations } from '#webhooks'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type MakeWebhooksOptions, makeWebhooks, makeWorker, quiet } from './webhooks-worker.ts'

export interface WebhooksScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly webhooks: Webhooks
  readonly owner: Owner
  /** Subscribes and waits until the receiver is verified. */
  subscribe(
    url: string,
    options?: SubscribeOptions,
  ): Promise<{ readonly id: string; readonly secret: string }>
  publish(events: readonly Partial<Parameters<Webhooks['publish']>[1][number]>[]): Promise<number>
  /** Deliveries of events, in order. */
  deliveries(id: string): ReturnType<Webhooks['deliveries']['list']>
  until(id: string, state: string, count?: number): Promise<void>
  /** Makes pending retries due. */
  skipPauses(): Promise<void>
  use<Resource extends AsyncDisposable>(resource: Resource): Resource
}

type Owner = Parameters<Webhooks['subscriptions']['create']>[0]
type Config = Parameters<Webhooks['subscriptions']['create']>[1]['config']
type SubscribeOptions = Partial<Omit<Config, 'format'>> & {
  readonly format?: Partial<Config['format']>
  readonly secret?: string
  readonly owner?: Owner
}

const plainFormat: Config['format'] = {
  content_type: 'application/json',
  include_full_context: false,
  include_intermediate_results: false,
  compression: 'none',
}

/** A database with only the tables of webhooks. */
export async function openWebhooksDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [workMigrations, limitsMigrations, webhooksMigrations], quiet)
  return database
}

export async function openWebhooksScene(options: MakeWebhooksOptions = {}): Promise<WebhooksScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openWebhooksDatabase())
  const webhooks = makeWebhooks(database, options)
  const worker = makeWorker(database, webhooks, { pollMs: 100 })
  closing.defer(() => worker.stop())
  await worker.start()
  const owner: Owner = { accountId: randomUUID(), api: 'workflows' }
  const opened = closing.move()
  const list = (id: string) =>
    webhooks.deliveries.list(id, { order: 'oldest', limit: 200, offset: 0, event: undefined })

  return {
    database,
    webhooks,
    owner,
    async subscribe(url, { secret, format, owner: whose = owner, ...config } = {}) {
      const { webhook, secret: made } = await webhooks.subscriptions.create(whose, {
        config: {
          name: null,
          url,
          events: ['flow.step.completed', 'flow.execution.completed'],
          filters: {},
          retryPolicy: {},
          ...config,
          format: { ...plainFormat, ...format },
        },
        secret,
      })
      await eventually(async () => (await webhooks.subscriptions.read(whose, webhook.id)).status === 'active')
      return { id: webhook.id, secret: made }
    },
    publish: (events) =>
      database.transaction((transaction) =>
        webhooks.publish(
          transaction,
          events.map((event) => ({
            event: 'flow.step.completed',
            subject: 'execution-1',
            accountId: owner.accountId,
            data: { step_id: 'only' },
            ...event,
          })),
        ),
      ),
    async deliveries(id) {
      const all = await list(id)
      return { ...all, deliveries: all.deliveries.filter(({ event }) => event !== 'webhook.verification') }
    },
    async until(id, state, count = 1) {
      await eventually(async () => {
        const { deliveries } = await list(id)
        const events = deliveries.filter(({ event }) => event !== 'webhook.verification')
        return events.filter((delivery) => delivery.state === state).length >= count
      }, 25)
    },
    async skipPauses() {
      // A partition is released a moment after the outcome of an attempt is stored, with the pause known by then.
      await eventually(
        async () =>
          (await database.query(`select from webhook_lanes where work_state = 'running'`)).length === 0,
      )
      await database.query(`update webhook_deliveries set next_attempt_at = now() where state = 'pending'`)
      await database.query(`update webhook_lanes set work_due_at = now() where work_state = 'queued'`)
    },
    use: (resource) => opened.use(resource),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

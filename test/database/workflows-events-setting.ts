import { randomUUID } from 'node:crypto'
import type { Engine } from '#engine'
import type { Events } from '#kernel/events'
import { createMetrics, type Logger, type Metrics } from '#kernel/telemetry'
import {
  createDispatcher,
  createEstimates,
  createOrchestraPublisher,
  createSubscribers,
  createWorkflowsPublisher,
  type Outbox,
  type Subscribers,
} from '#outbox'
import type { Webhooks } from '#webhooks'
import type { EngineScene } from './engine-setting.ts'
import { makeWebhooks, quiet } from './webhooks-worker.ts'

/** An active webhook of the account of a scene, to a closed port: these tests are about pending deliveries. */
export async function listen(
  { database }: EngineScene,
  accountId: string,
  events: readonly string[],
  format: object = {},
): Promise<string> {
  const id = randomUUID()
  await database.query(
    `
      insert into webhooks (id, kind, api, account_id, url, events, filters, retry_policy, format, secret, status)
      values ($1, 'subscription', 'workflows', $2, 'http://127.0.0.1:9/', $3, '{}', '{}', $4, 'encrypted', 'active')
    `,
    [
      id,
      accountId,
      events,
      JSON.stringify({ include_full_context: false, include_intermediate_results: false, ...format }),
    ],
  )
  return id
}

export async function toldIn({ database }: EngineScene) {
  return await database.query<{
    event: string
    subject: string
    data: { readonly [field: string]: unknown }
  }>(`select event, subject, content -> 'data' as data from webhook_deliveries order by sequence`)
}

export function isCompletion({ event }: { readonly event: string }): boolean {
  return event === 'flow.execution.completed'
}

export async function addWebhooks({ database }: EngineScene) {
  const webhooks = makeWebhooks(database)
  return { webhooks, subscribers: createSubscribers({ database, webhooks }) }
}

interface DispatchOptions {
  readonly scene: Pick<EngineScene, 'database'>
  readonly engine: Engine
  readonly outbox: Outbox
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Subscribers
  /** For the live stream. */
  readonly events?: Events
  readonly metrics?: Metrics
  readonly log?: Logger
}

export function dispatch(options: DispatchOptions): AsyncDisposable {
  const { scene, engine, outbox, webhooks, subscribers, events } = options
  const { metrics = createMetrics({ watchProcess: false }), log = quiet } = options
  const estimate = createEstimates(engine)
  const { database } = scene
  const shared = { database, engine, webhooks, subscribers, estimate }
  const live = events && {
    events,
    watch: { hasViewers: () => true },
    spentToday: async () => ({ spent: 0 }),
    dayLimitOf: async () => undefined,
  }
  const publishers = [
    createWorkflowsPublisher(shared),
    ...(live === undefined ? [] : [createOrchestraPublisher({ ...shared, ...live })]),
  ]
  return createDispatcher({ engine, outbox, webhooks, subscribers, estimate, publishers, log, metrics })
}

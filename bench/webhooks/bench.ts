import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { readSettings } from '#kernel/config'
import { type Database, migrate } from '#kernel/database'
import { createEncryption } from '#kernel/encryption'
import { createOutbound, type Outbound } from '#kernel/outbound'
import { createMetrics } from '#kernel/telemetry'
import { createWorker, workMigrations } from '#kernel/work'
import { createWebhooks, type Webhooks, webhooksMigrations, webhooksSettings } from '#webhooks'
import type { Benchmark, Measurement } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'

const deliveries = 1000
const atOnce = 50
const event = 'flow.step.completed'
const data = { execution_id: randomUUID(), step_id: 'review', duration: 1.25, cost: 0.0042, success: true }

const benchmark: Benchmark = {
  question: 'How many deliveries per second does one process make?',
  unit: 'deliveries/s',
  better: 'higher',
  baseline: 'the requests alone, through the guard',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database } = closing.use(await openBenchDatabase())
    await migrate(database, [workMigrations, webhooksMigrations], quiet)
    const receiver = fork(new URL('./receiver-process.ts', import.meta.url).pathname)
    closing.defer(() => void receiver.kill())
    const [port] = (await once(receiver, 'message')) as [number]
    const url = `http://127.0.0.1:${port}/hook`

    const metrics = createMetrics({ watchProcess: false })
    const outbound = createOutbound({ allow: ['127.0.0.1'], log: quiet })
    const webhooks = createWebhooks({
      database,
      encryption: createEncryption({
        settings: { secret: 'a secret that only this benchmark has', previousSecret: undefined },
        database,
        dataDir: '',
      }),
      outbound,
      accountStatusOf: async () => ({
        tier: 'basic',
        disabled: false,
        permissions: new Set(['manage webhooks']),
      }),
      settings: readSettings(webhooksSettings, { TUTTI_WEBHOOK_CONCURRENCY: String(atOnce) }),
      log: quiet,
      metrics,
    })
    const accountId = randomUUID()
    await subscribe(webhooks, accountId, url)
    const worker = createWorker({ database, log: quiet, metrics, role: 'worker', queues: [webhooks.queue] })
    closing.defer(() => worker.stop())
    await worker.start()

    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: [
        {
          name: 'the requests alone, through the guard',
          measure: () => measure(() => sendAll(outbound, url)),
        },
        {
          name: 'deliveries, ten about each subject',
          measure: () => measure(() => deliverAll(database, webhooks, accountId, 10)),
        },
        {
          name: 'deliveries, each about another subject',
          measure: () => measure(() => deliverAll(database, webhooks, accountId, 1)),
        },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

/** Sends a request of the owner, with the token. */
async function subscribe({ subscriptions }: Webhooks, accountId: string, url: string): Promise<void> {
  const { webhook, token } = await subscriptions.create(
    { accountId, api: 'workflows' },
    {
      config: {
        name: null,
        url,
        events: [event],
        filters: {},
        retryPolicy: {},
        format: {
          content_type: 'application/json',
          include_full_context: false,
          include_intermediate_results: false,
          compression: 'none',
        },
      },
    },
  )
  await subscriptions.verify({ id: webhook.id, api: 'workflows', token: token ?? '' })
}

async function measure(work: () => Promise<void>): Promise<Measurement> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    value: deliveries / seconds,
    beside: { 'CPU ms each': (user + system) / 1000 / deliveries },
  }
}

async function sendAll(outbound: Outbound, url: string): Promise<void> {
  let left = deliveries
  const body = JSON.stringify({ event, data })
  const sendSome = async () => {
    while (left-- > 0) await outbound.request(url, { account: 'bench', method: 'POST', body })
  }
  await Promise.all(Array.from({ length: atOnce }, sendSome))
}

async function deliverAll(
  database: Database,
  webhooks: Webhooks,
  accountId: string,
  perSubject: number,
): Promise<void> {
  const run = randomUUID()
  const events = Array.from({ length: deliveries }, (_, n) => ({
    event,
    subject: `${run} ${Math.floor(n / perSubject)}`,
    accountId,
    data,
  }))
  await database.transaction((transaction) => webhooks.publish(transaction, events))
  for (;;) {
    const [row] = await database.query<{ count: number }>(
      `select count(*) from webhook_deliveries where state = 'pending'`,
    )
    if (row?.count === 0) return
    await delay(20)
  }
}

export default benchmark

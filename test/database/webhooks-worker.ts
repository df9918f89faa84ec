import { randomUUID } from 'node:crypto'
import { readSettings } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createEncryption } from '#kernel/encryption'
import { createOutbound } from '#kernel/outbound'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker, type Worker, type WorkerTiming } from '#kernel/work'
import { createWebhooks, type Webhooks, webhooksSettings } from '#webhooks'

export const quiet = createLogger({ level: 'silent', format: 'json' })

type AccountStatus = Awaited<ReturnType<Parameters<typeof createWebhooks>[0]['accountStatusOf']>>

export const permitted: AccountStatus = {
  tier: 'basic',
  disabled: false,
  permissions: new Set(['manage webhooks']),
}

export interface MakeWebhooksOptions {
  readonly secret?: string
  readonly previousSecret?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly accountStatusOf?: (accountId: string) => Promise<AccountStatus>
}

/** Webhooks on a database, which may call this machine. */
export function makeWebhooks(database: Database, options: MakeWebhooksOptions = {}): Webhooks {
  const { secret = 'the secret of this installation', previousSecret, environment = {} } = options
  return createWebhooks({
    database,
    encryption: createEncryption({ settings: { secret, previousSecret }, database, dataDir: '' }),
    outbound: createOutbound({ allow: ['127.0.0.1'], log: quiet }),
    accountStatusOf: options.accountStatusOf ?? (async () => permitted),
    settings: readSettings(webhooksSettings, environment),
    log: quiet,
    metrics: createMetrics({ watchProcess: false }),
  })
}

export function makeWorker(
  database: Database,
  webhooks: Webhooks,
  timing: Partial<WorkerTiming> = {},
): Worker {
  const metrics = createMetrics({ watchProcess: false })
  return createWorker({ database, log: quiet, metrics, role: 'worker', queues: [webhooks.queue], timing })
}

/** Subscribes a URL to progress events, verified by token without a worker, and returns its account. */
export async function subscribeAtOnce(database: Database, webhooks: Webhooks, url: string): Promise<string> {
  const accountId = randomUUID()
  const { webhook, token } = await webhooks.subscriptions.create(
    { accountId, api: 'workflows' },
    {
      config: {
        name: null,
        url,
        events: ['execution.progress'],
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
  await webhooks.subscriptions.verify({ id: webhook.id, api: 'workflows', token: token ?? '' })
  await database.query('delete from webhook_deliveries')
  return accountId
}

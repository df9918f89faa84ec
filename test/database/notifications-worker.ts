import { readSettings } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, type Logger, type Metrics } from '#kernel/telemetry'
import { createWorker, type Worker, type WorkerTiming } from '#kernel/work'
import {
  channelsOf,
  createNotifications,
  type Notifications,
  type NotificationsOptions,
  notificationsSettings,
} from '#notifications'

export const quiet = createLogger({ level: 'silent', format: 'json' })

export interface MakeNotificationsOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly log?: Logger
  readonly metrics?: Metrics
  readonly addressOf?: NotificationsOptions['addressOf']
  readonly timeoutsMs?: NotificationsOptions['timeoutsMs']
}

export function makeNotifications(
  database: Database,
  {
    environment,
    log = quiet,
    metrics = createMetrics({ watchProcess: false }),
    addressOf = async () => undefined,
    timeoutsMs,
  }: MakeNotificationsOptions,
): Notifications {
  const settings = readSettings(notificationsSettings, {
    TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
    ...environment,
  })
  const channels = channelsOf(settings)
  return createNotifications({
    database,
    channels: () => channels,
    settings,
    limiter: createLimiter({ database, log: quiet, metrics: createMetrics({ watchProcess: false }) }),
    addressOf,
    log,
    metrics,
    ...(timeoutsMs !== undefined && { timeoutsMs }),
  })
}

export function makeWorker(
  database: Database,
  { queues }: Notifications,
  timing: Partial<WorkerTiming>,
): Worker {
  const metrics = createMetrics({ watchProcess: false })
  return createWorker({ database, log: quiet, metrics, role: 'worker', queues, timing })
}

import { readSettings } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createLogger, createMetrics, type Logger } from '#kernel/telemetry'
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
  readonly timeoutsMs?: NotificationsOptions['timeoutsMs']
}

export function makeNotifications(
  database: Database,
  { environment, log = quiet, timeoutsMs }: MakeNotificationsOptions,
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
    log,
    metrics: createMetrics({ watchProcess: false }),
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

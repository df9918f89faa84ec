import { readSettings } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createLogger, createMetrics, type Logger } from '#kernel/telemetry'
import { createWorker, type Worker, type WorkerTiming } from '#kernel/work'
import { channelsOf, createNotices, type Notices, type NoticesOptions, noticesSettings } from '#notices'

export const quiet = createLogger({ level: 'silent', format: 'json' })

export interface MakeNoticesOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly log?: Logger
  readonly timeoutsMs?: NoticesOptions['timeoutsMs']
}

export function makeNotices(
  database: Database,
  { environment, log = quiet, timeoutsMs }: MakeNoticesOptions,
): Notices {
  const settings = readSettings(noticesSettings, {
    TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
    ...environment,
  })
  return createNotices({
    database,
    channels: channelsOf(settings),
    retentionMs: settings.retentionMs,
    log,
    metrics: createMetrics({ watchProcess: false }),
    ...(timeoutsMs !== undefined && { timeoutsMs }),
  })
}

export function makeWorker(database: Database, { queues }: Notices, timing: Partial<WorkerTiming>): Worker {
  const metrics = createMetrics({ watchProcess: false })
  return createWorker({ database, log: quiet, metrics, role: 'worker', queues, timing })
}

import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import { forgetOldLimits } from '#kernel/limits'
import type { Logger } from '#kernel/telemetry'
import type { Vitals } from '#kernel/vitals'
import { createRecurringTasks, type RecurringTasks } from '#kernel/work'
import type { Models } from '#models'
import type { Notices } from '#notices'
import type { Status } from '#status'
import type { Tours } from '#tours'
import type { Webhooks } from '#webhooks'

export interface UpkeepOptions {
  readonly database: Database
  readonly events: Events
  readonly identity: Identity
  readonly models: Pick<Models, 'tasks'>
  readonly engine: Pick<Engine, 'tasks'>
  readonly webhooks: Pick<Webhooks, 'tasks'>
  readonly notices: Pick<Notices, 'tasks'>
  readonly tours: Pick<Tours, 'tasks'>
  readonly status: Pick<Status, 'tasks'>
  readonly vitals: Pick<Vitals, 'cleanUp'>
  readonly idempotency: Pick<Idempotency, 'cleanUp'>
  readonly eventRetentionMs: number
  readonly log: Logger
}

/** What one replica at a time does to keep the tables small. */
export function createUpkeep(options: UpkeepOptions): RecurringTasks {
  const { database, events, identity, idempotency, eventRetentionMs, log } = options
  const { models, engine, webhooks, notices, tours, status, vitals } = options
  const tasks = createRecurringTasks({ database, log })
  tasks.add(identity.cleanUp)
  tasks.add(idempotency.cleanUp)
  tasks.add(vitals.cleanUp)
  const capabilities = [models, engine, webhooks, notices, tours, status]
  for (const task of capabilities.flatMap((capability) => capability.tasks)) tasks.add(task)
  tasks.add({
    name: 'events.prune',
    everyMs: 3_600_000,
    run: async (signal) => {
      await events.prune({ olderThan: new Date(Date.now() - eventRetentionMs), signal })
    },
  })
  tasks.add({
    name: 'limits.forget',
    everyMs: 10 * 60_000,
    run: async (signal) => {
      await forgetOldLimits(database, signal)
    },
  })
  return tasks
}

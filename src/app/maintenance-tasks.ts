import type { Database } from '#kernel/database'
import { type Events, eventPartitions } from '#kernel/events'
import { deleteExpiredLimits } from '#kernel/limits'
import { createPartitionTask, maxOverdueMs, type RetainedTable } from '#kernel/partitions'
import type { Logger } from '#kernel/telemetry'
import { createRecurringTasks, type RecurringTask, type RecurringTasks } from '#kernel/work'

export interface MaintenanceOptions {
  readonly database: Database
  readonly events: Events
  /** The tasks of the modules. */
  readonly tasks: readonly RecurringTask[]
  /** The partitioned tables of the modules. */
  readonly partitions: readonly RetainedTable[]
  readonly eventRetentionMs: number
  readonly log: Logger
}

/** The recurring tasks that keep the tables small. Each runs on one replica at a time. */
export function createMaintenanceTasks(options: MaintenanceOptions): RecurringTasks {
  const { database, events, eventRetentionMs, log } = options
  const tasks = createRecurringTasks({ database, log })
  for (const task of options.tasks) tasks.add(task)
  tasks.add({
    name: 'events.prune',
    everyMs: 3_600_000,
    run: async (signal) => {
      const overdueMs = eventRetentionMs + maxOverdueMs(eventRetentionMs)
      await events.prune({ olderThan: new Date(Date.now() - overdueMs), signal })
    },
  })
  const retainedEvents = { table: eventPartitions, retentionMs: () => eventRetentionMs }
  tasks.add(createPartitionTask({ database, log, tables: [retainedEvents, ...options.partitions] }))
  tasks.add({
    name: 'limits.forget',
    everyMs: 10 * 60_000,
    run: async (signal) => {
      await deleteExpiredLimits(database, signal)
    },
  })
  return tasks
}

export { type ColumnValues, databaseNow } from './column-assignments.ts'
export { workFailureTable } from './errors.ts'
export { type Executor, runStatement } from './executor.ts'
export { workMigrations } from './migrations.ts'
export { type Claim, defineQueue, type Queue } from './queue.ts'
export type { QueueRegistration } from './queue-runner.ts'
export {
  createRecurringTasks,
  type RecurringTask,
  type RecurringTasks,
} from './recurring-tasks.ts'
export type { WorkerTiming } from './timing.ts'
export {
  type AnyQueueRegistration,
  createWorker,
  serveQueue,
  type Worker,
  type WorkerOptions,
} from './worker.ts'
export { createWorkerDirectory, type WorkerDirectory, type WorkerRow } from './worker-registry.ts'

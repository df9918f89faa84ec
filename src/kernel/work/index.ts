export { type CrashMarks, createCrashMarks } from './crashes.ts'
export { workFailureTable } from './errors.ts'
export { countHangs } from './hangs.ts'
export { workMigrations } from './migrations.ts'
export {
  type Claim,
  type ColumnValues,
  databaseNow,
  defineQueue,
  type Executor,
  type Queue,
  runStatement,
} from './queue.ts'
export type { QueueRegistration } from './queue-runner.ts'
export {
  createRecurringTasks,
  type RecurringTask,
  type RecurringTasks,
} from './recurring-tasks.ts'
export {
  type AnyQueueRegistration,
  createWorker,
  serveQueue,
  type Worker,
  type WorkerOptions,
} from './worker.ts'
export {
  createWorkerDirectory,
  type WorkerDirectory,
  type WorkerRow,
  type WorkerTiming,
} from './worker-registry.ts'

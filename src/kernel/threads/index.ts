export { createTaskThread, type TaskOutcome, type TaskThread } from './task-thread.ts'

export {
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type StreamRecorder,
} from './idempotency.ts'
export { idempotencyMigrations } from './migrations.ts'

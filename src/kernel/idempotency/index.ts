export { idempotencyFailureTable } from './errors.ts'
export { createIdempotency, type Idempotency, type IdempotencyOptions } from './idempotency.ts'
export { idempotencyMigrations } from './migrations.ts'

export { rateLimitAddress } from './limited-address.ts'
export { type Count, createLimiter, type Limiter, type LimitRule, type Taken } from './limiter.ts'
export { limitsMigrations } from './migrations.ts'
export { deleteExpiredLimits } from './shared-counts.ts'

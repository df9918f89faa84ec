import type { MigrationSet } from '#kernel/database'
import { engineMigrations } from '#migrations/engine'
import { identityMigrations } from '#migrations/identity'
import { eventsMigrations } from '#migrations/kernel/events'
import { idempotencyMigrations } from '#migrations/kernel/idempotency'
import { limitsMigrations } from '#migrations/kernel/limits'
import { vitalsMigrations } from '#migrations/kernel/vitals'
import { workMigrations } from '#migrations/kernel/work'
import { modelsMigrations } from '#migrations/models'
import { noticesMigrations } from '#migrations/notices'
import { orchestraMigrations } from '#migrations/orchestra'
import { statusMigrations } from '#migrations/status'
import { toursMigrations } from '#migrations/tours'
import { webhooksMigrations } from '#migrations/webhooks'

/** Every table of the platform, in the order they are created. */
export const migrationSets: readonly MigrationSet[] = [
  eventsMigrations,
  workMigrations,
  limitsMigrations,
  idempotencyMigrations,
  vitalsMigrations,
  identityMigrations,
  modelsMigrations,
  engineMigrations,
  webhooksMigrations,
  noticesMigrations,
  orchestraMigrations,
  toursMigrations,
  statusMigrations,
]

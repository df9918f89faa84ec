import { engineMigrations } from '#engine'
import { identityMigrations } from '#identity'
import type { MigrationSet } from '#kernel/database'
import { eventsMigrations } from '#kernel/events'
import { idempotencyMigrations } from '#kernel/idempotency'
import { limitsMigrations } from '#kernel/limits'
import { workMigrations } from '#kernel/work'
import { modelsMigrations } from '#models'
import { webhooksMigrations } from '#webhooks'

/** Every table of the platform, in the order they are created. */
export const migrationSets: readonly MigrationSet[] = [
  eventsMigrations,
  workMigrations,
  limitsMigrations,
  idempotencyMigrations,
  identityMigrations,
  modelsMigrations,
  engineMigrations,
  webhooksMigrations,
]

import type { MigrationSet } from '#kernel/database'
import { clusterMigrations } from '#migrations/cluster'
import { connectionsMigrations } from '#migrations/connections'
import { engineMigrations } from '#migrations/engine'
import { identityMigrations } from '#migrations/identity'
import { encryptionMigrations } from '#migrations/kernel/encryption'
import { eventsMigrations } from '#migrations/kernel/events'
import { idempotencyMigrations } from '#migrations/kernel/idempotency'
import { limitsMigrations } from '#migrations/kernel/limits'
import { liveSettingsMigrations } from '#migrations/kernel/live-settings'
import { metricsHistoryMigrations } from '#migrations/kernel/metrics-history'
import { workMigrations } from '#migrations/kernel/work'
import { modelsMigrations } from '#migrations/models'
import { notificationsMigrations } from '#migrations/notifications'
import { orchestraMigrations } from '#migrations/orchestra'
import { statusMigrations } from '#migrations/status'
import { toursMigrations } from '#migrations/tours'
import { triggersMigrations } from '#migrations/triggers'
import { webhooksMigrations } from '#migrations/webhooks'

/** All migrations of the platform, in the order they run. */
export const migrationSets: readonly MigrationSet[] = [
  eventsMigrations,
  workMigrations,
  limitsMigrations,
  idempotencyMigrations,
  encryptionMigrations,
  metricsHistoryMigrations,
  identityMigrations,
  connectionsMigrations,
  modelsMigrations,
  engineMigrations,
  webhooksMigrations,
  notificationsMigrations,
  orchestraMigrations,
  toursMigrations,
  statusMigrations,
  triggersMigrations,
  liveSettingsMigrations,
  clusterMigrations,
]

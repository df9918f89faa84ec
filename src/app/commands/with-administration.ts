import { createIdentityAdministration, type IdentityAdministration } from '#identity'
import { createEncryption } from '#kernel/encryption'
import { createEvents } from '#kernel/events'
import { createMetrics } from '#kernel/telemetry'
import { withDatabase } from './with-database.ts'

/** Opens the database for a command that administers accounts or keys. */
export async function withAdministration(
  work: (administration: IdentityAdministration) => Promise<void>,
): Promise<void> {
  await withDatabase(async ({ database, settings, log }) => {
    const metrics = createMetrics({ watchProcess: false })
    await using events = createEvents({ database, log, metrics })
    const encryption = createEncryption({
      settings: settings.encryption,
      database,
      dataDir: settings.database.dataDir,
    })
    await work(createIdentityAdministration({ database, events, metrics, encryption }))
  })
}

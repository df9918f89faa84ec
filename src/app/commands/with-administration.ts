import { createIdentityAdministration, type IdentityAdministration } from '#identity'
import { createEvents } from '#kernel/events'
import { createSealing } from '#kernel/sealing'
import { createMetrics } from '#kernel/telemetry'
import { withDatabase } from './with-database.ts'

/** Opens the database, beside a running platform or alone, for a command that administers accounts or keys. */
export async function withAdministration(
  work: (administration: IdentityAdministration) => Promise<void>,
): Promise<void> {
  await withDatabase(async ({ database, settings, log }) => {
    const metrics = createMetrics({ watchProcess: false })
    await using events = createEvents({ database, log, metrics })
    const sealing = createSealing({
      settings: settings.sealing,
      database,
      dataDir: settings.database.dataDir,
    })
    await work(createIdentityAdministration({ database, events, metrics, sealing }))
  })
}

import { createIdentityAdministration } from '#identity'
import type { Database } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { createMetrics, type Logger } from '#kernel/telemetry'
import { type Finding, note } from './finding.ts'

/** Speaks up when nobody could let anybody in. Without any account all is well: the first start makes one. */
export async function checkAccounts(database: Database, log: Logger): Promise<Finding[]> {
  const metrics = createMetrics({ watchProcess: false })
  await using events = createEvents({ database, log, metrics })
  const administration = createIdentityAdministration({ database, events, metrics })
  if (await administration.hasAdministrator()) return []
  if ((await administration.listUsers()).length === 0) return []
  return [
    note(
      'Nobody who can sign in is an administrator',
      'Add one: npx tutti user add NAME --role administrator',
    ),
  ]
}

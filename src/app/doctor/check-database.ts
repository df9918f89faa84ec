import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseSettings, migrationState, openDatabase } from '#kernel/database'
import { Failure, UserMistake } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { checkAccounts } from './check-accounts.ts'
import { bad, type Finding, good, note } from './finding.ts'

/** Connects as the platform would. Before the first start it tries whether an embedded database can run here at all. */
export async function checkDatabase(settings: DatabaseSettings, log: Logger): Promise<Finding[]> {
  try {
    const first = settings.databaseUrl === undefined && !(await exists(settings.dataDir))
    return first ? [await tryEmbedded(settings, log)] : await lookAt(settings, log)
  } catch (error) {
    if (error instanceof UserMistake || error instanceof Failure) {
      return [bad(error.message, 'Mend that, or set DATABASE_URL to a database this machine reaches.')]
    }
    throw error
  }
}

async function lookAt(settings: DatabaseSettings, log: Logger): Promise<Finding[]> {
  await using database = await openDatabase({ settings, log, embedded: 'join' })
  const { pending } = await migrationState(database, migrationSets)
  const name = `PostgreSQL ${database.version} (${database.kind})`
  if (pending.length === 0) return [good(`${name} is up to date`), ...(await checkAccounts(database, log))]
  return [
    note(
      `${name} answers; ${pending.length} migrations are pending`,
      'Nothing to do: the next start applies them. To do it now: npx tutti migrate',
    ),
  ]
}

/** In a folder of its own that is gone afterwards: a check must not create what it checks. */
async function tryEmbedded(settings: DatabaseSettings, log: Logger): Promise<Finding> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-doctor-'))
  try {
    await using database = await openDatabase({ settings: { ...settings, dataDir }, log })
    return good(`PostgreSQL ${database.version} (embedded) runs on this machine`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}

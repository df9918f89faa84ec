import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Database,
  type DatabaseSettings,
  type MigrationSet,
  openDatabase,
  type Session,
} from '#kernel/database'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { copyStatement } from './catalogue.ts'
import type { InspectedBackup } from './inspect-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { createRowDigest } from './row-digest.ts'

export interface VerifyBackupOptions {
  /** Where scratch databases are created: on the server of DATABASE_URL, else as an embedded database in a temporary folder. */
  readonly settings: DatabaseSettings
  readonly sets: readonly MigrationSet[]
  readonly backup: InspectedBackup
  readonly log: Logger
}

/**
 * Restores a backup into a scratch database, reads every table again and compares it with the backup; then removes the database. Throws
 * a `UserError` that names the tables that differ, and when the role may not create databases.
 */
export async function verifyBackup({ settings, sets, backup, log }: VerifyBackupOptions): Promise<void> {
  await using scratch = await createScratch(settings, log)
  await restoreBackup({ database: scratch.database, sets, backup, replace: false })
  const different = await scratch.database.withSession((session) => compareTables(session, backup))
  if (different.length > 0) {
    throw new UserError(
      `The backup ${backup.path} does not restore what was backed up. Tables that differ: ${different.join(', ')}.`,
    )
  }
}

async function compareTables(session: Session, { manifest, index }: InspectedBackup): Promise<string[]> {
  const expected = new Map(index.tables.map((table) => [table.name, table]))
  const different: string[] = []
  await session.query(`set extra_float_digits = 1; set datestyle = 'ISO'`)
  for (const table of manifest.tables) {
    const { name } = table
    const restored = createRowDigest()
    for await (const rows of session.copyOut(copyStatement(table))) for (const row of rows) restored.add(row)
    const { rows, digest } = expected.get(name) ?? { rows: -1, digest: '' }
    if (restored.rows !== rows || restored.digest() !== digest) different.push(name)
  }
  return different
}

interface Scratch extends AsyncDisposable {
  readonly database: Database
}

function createScratch(settings: DatabaseSettings, log: Logger): Promise<Scratch> {
  return settings.databaseUrl === undefined
    ? createScratchFolder(settings, log)
    : createScratchDatabase(settings, log)
}

async function createScratchFolder(settings: DatabaseSettings, log: Logger): Promise<Scratch> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-verify-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const database = await openDatabase({ settings: { ...settings, dataDir }, log })
    return {
      database,
      async [Symbol.asyncDispose]() {
        await database.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const insufficientPrivilege = '42501'

async function createScratchDatabase(settings: DatabaseSettings, log: Logger): Promise<Scratch> {
  const name = `tutti_verify_${randomBytes(6).toString('hex')}`
  const server = await openDatabase({ settings, log })
  const run = (statement: string) => server.withSession((session) => session.query(statement))
  const remove = async () => {
    await run(`drop database if exists ${name} with (force)`).catch((error: unknown) =>
      log.warn({ err: error, database: name }, 'the scratch database could not be removed'),
    )
    await server.close()
  }
  try {
    await run(`create database ${name} template template0`)
    const onServer = settings.directUrl ?? settings.databaseUrl
    const databaseUrl = onServer && { ...onServer, database: name }
    const database = await openDatabase({ settings: { ...settings, databaseUrl, directUrl: undefined }, log })
    return {
      database,
      async [Symbol.asyncDispose]() {
        await database.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    if (!(error instanceof Error && 'code' in error && error.code === insufficientPrivilege)) throw error
    throw new UserError(
      'The role of DATABASE_URL may not create databases, which --verify needs. Grant it `createdb`, or run ' +
        '`npx tutti restore FILE --verify` without DATABASE_URL: it then uses a temporary embedded database.',
      { cause: error },
    )
  }
}

import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Database, type MigrationRecord, type Session, tryLockMigrations } from '#kernel/database'
import type { InstallationSecret } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import { keepPartitions } from '#kernel/partitions'
import { type ArchiveEntry, encodeEntry, endOfArchive, sha256 } from './archive.ts'
import { copyStatement, readSequences, readTables, type Table } from './catalogue.ts'
import { createEncryptedValues, type EncryptedValues } from './encrypted-values.ts'
import {
  type BackupIndex,
  formatVersion,
  indexName,
  keyName,
  type LockedKey,
  type Manifest,
  manifestName,
  objectName,
  partName,
} from './manifest.ts'
import { createRowDigest } from './row-digest.ts'

export interface WriteBackupOptions {
  readonly database: Database
  /** The file to create; an existing one is never replaced. */
  readonly path: string
  /** The version of the program. */
  readonly program: string
  /** The secrets of the installation, to count what each encrypted. */
  readonly secrets: readonly InstallationSecret[]
  /** The objects that rows refer to; by default there are none. */
  readonly objects?: BackedUpObjects | undefined
  /** The encrypted secrets, to be stored in the file; by default they are not. */
  readonly key?: LockedKey | undefined
}

/** Objects outside of the database that belong to it. */
interface BackedUpObjects {
  /** Their keys, from the snapshot of the backup. */
  list(session: Session): Promise<readonly string[]>
  /** Undefined: the object was deleted since the snapshot, or is missing. */
  read(key: string): Promise<Buffer | undefined>
}

/** What a backup contains. */
export interface BackupSummary {
  readonly tables: number
  readonly rows: number
  readonly objects: number
  /** Objects that rows refer to and that do not exist. */
  readonly objectsMissing: number
  readonly bytes: number
  readonly encrypted: BackupIndex['encrypted']
  readonly encryptedUnknown: number
}

/** The bytes of rows in one part, before compression. */
const partBytes = 4 * 1024 * 1024

const compress = promisify(gzip)

/**
 * Writes all rows of one moment into a file, which appears when it is complete. Throws a `UserError` when the file exists or cannot be
 * written, when the database has no tables, and while migrations run.
 */
export async function writeBackup(options: WriteBackupOptions): Promise<BackupSummary> {
  await using file = await createFile(options.path)
  return await options.database.withSession(async (session) => {
    if (!(await tryLockMigrations(session, 'shared')))
      throw new UserError(
        'Migrations or a restore run on this database. Start the backup when they have ended.',
      )
    await keepPartitions(session)
    // A scan that joins another one would start in the middle of a table.
    await session.query(`set synchronize_seqscans = off; set extra_float_digits = 1; set datestyle = 'ISO'`)
    await session.query('begin isolation level repeatable read, read only')
    const summary = await writeEntries(session, file, options)
    await session.query('commit')
    return { ...summary, bytes: await file.publish() }
  })
}

async function writeEntries(
  session: Session,
  file: BackupFile,
  { database, program, secrets, key, objects }: WriteBackupOptions,
): Promise<Omit<BackupSummary, 'bytes'>> {
  const parts: BackupIndex['parts'] = []
  const add = async (entry: ArchiveEntry) => {
    parts.push({ name: entry.name, bytes: entry.content.length, sha256: sha256(entry.content) })
    await file.append(encodeEntry(entry))
  }
  const tables = await readTables(session)
  const migrations = await readMigrations(session, tables)
  const manifest: Manifest = {
    format: formatVersion,
    program,
    created_at: new Date().toISOString(),
    postgresql: database.version,
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  }
  await add(jsonEntry(manifestName, manifest))
  if (key !== undefined) await add(jsonEntry(keyName, key))
  const encrypted = createEncryptedValues()
  const written: BackupIndex['tables'] = []
  for (const table of tables) written.push(await writeTable(session, table, encrypted, add))
  const keys = (await objects?.list(session)) ?? []
  let objectsMissing = 0
  for (const name of keys) {
    const content = await objects?.read(name)
    if (content === undefined) objectsMissing += 1
    else {
      encrypted.add(content)
      await add({ name: objectName(name), content })
    }
  }
  const known = secrets.map(({ id, source }) => ({
    key_id: id,
    source,
    values: encrypted.counts().get(id) ?? 0,
  }))
  const knownIds = new Set(secrets.map(({ id }) => id))
  const unknown = [...encrypted.counts()].filter(([id]) => !knownIds.has(id))
  const index: BackupIndex = {
    tables: written,
    sequences: await readSequences(session),
    encrypted: known,
    encrypted_unknown: unknown.reduce((sum, [, values]) => sum + values, 0),
    parts,
  }
  await file.append(encodeEntry(jsonEntry(indexName, index)))
  await file.append(endOfArchive)
  return {
    tables: tables.length,
    rows: written.reduce((sum, { rows }) => sum + rows, 0),
    objects: keys.length - objectsMissing,
    objectsMissing,
    encrypted: index.encrypted,
    encryptedUnknown: index.encrypted_unknown,
  }
}

async function readMigrations(session: Session, tables: readonly Table[]): Promise<MigrationRecord[]> {
  if (!tables.some(({ name }) => name === 'kernel_migrations'))
    throw new UserError('The database has no tables of Tutti yet: there is nothing to back up.')
  return session.query<MigrationRecord>(
    'select owner, number, name, checksum from kernel_migrations order by owner, number',
  )
}

async function writeTable(
  session: Session,
  table: Table,
  encrypted: EncryptedValues,
  add: (entry: ArchiveEntry) => Promise<void>,
): Promise<BackupIndex['tables'][number]> {
  const { name } = table
  const digest = createRowDigest()
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let number = 0

  async function flush(bytes: number): Promise<void> {
    // The rest of a row that is larger than many parts is not copied for each of them.
    const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
    waiting = [all.subarray(bytes)]
    waitingBytes = all.length - bytes
    number += 1
    const content = await compress(all.subarray(0, bytes), { level: 3 })
    await add({ name: partName(name, number), content })
  }

  for await (const rows of session.copyOut(copyStatement(table))) {
    for (const row of rows) {
      digest.add(row)
      encrypted.add(row)
      waiting.push(row)
      waitingBytes += row.length
    }
    while (waitingBytes >= partBytes) await flush(partBytes)
  }
  if (waitingBytes > 0) await flush(waitingBytes)
  return { name, rows: digest.rows, digest: digest.digest() }
}

function jsonEntry(name: string, value: object): ArchiveEntry {
  return { name, content: Buffer.from(`${JSON.stringify(value)}\n`) }
}

/** A file under a temporary name. Unless it is published, it is removed. */
interface BackupFile extends AsyncDisposable {
  append(bytes: Buffer): Promise<void>
  /** Gives the file its name and returns its size. */
  publish(): Promise<number>
}

async function createFile(path: string): Promise<BackupFile> {
  const draft = `${path}.partial-${randomBytes(4).toString('hex')}`
  await refuseExisting(path)
  const file = await explainFailure(path, open(draft, 'wx', 0o600))
  let bytes = 0
  return {
    async append(chunk) {
      await explainFailure(path, file.appendFile(chunk))
      bytes += chunk.length
    },
    async publish() {
      await explainFailure(path, file.sync())
      await refuseExisting(path)
      await explainFailure(path, rename(draft, path))
      return bytes
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      await rm(draft, { force: true })
    },
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  if (exists)
    throw new UserError(`${path} exists already. Choose another name: a backup never replaces a file.`)
}

/** A full disk or a missing folder is for the operator to mend. */
async function explainFailure<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`The backup ${path} cannot be written: ${reason}`, { cause })
  }
}

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type InspectedBackup, inspectBackup, restoreBackup, unlockKey, verifyBackup } from '#kernel/backup'
import { type Database, migrationState, openDatabase } from '#kernel/database'
import { keyIdOf, readInstallationSecrets, storeInstallationSecret } from '#kernel/encryption'
import { Failure, UserError } from '#kernel/errors'
import { openObjectStore } from '#kernel/objects'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { readPlatformSettings, type Settings } from '../settings.ts'
import { recordBackupEvent, requireStore } from './backup.ts'
import { askPassphrase } from './passphrase.ts'
import { count } from './text.ts'

export interface RestoreOptions {
  readonly replace?: true
  readonly verify?: true
  readonly withoutKey?: true
  readonly keyOut?: string
}

/** `tutti restore`: replaces the contents of a database with a backup, or only verifies the backup. */
export async function restore(path: string, options: RestoreOptions): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: 'silent', format: 'json' })
  const backup = await inspectBackup(path)
  const { program, created_at } = backup.manifest
  console.error(`${path}: made ${created_at} by Tutti ${program}; all checksums are right.`)
  try {
    if (options.verify) {
      await verifyBackup({ settings: settings.database, sets: migrationSets, backup, log })
      console.log('Verified: restored into a scratch database, and every table is equal.')
      return
    }
    await using database = await openDatabase({ settings: settings.database, log })
    const key = await planKey({ backup, database, settings, options, askPassphrase })
    const objects = backup.objects === 0 ? undefined : requireStore(openObjectStore(settings.objects))
    await restoreBackup({
      database,
      sets: migrationSets,
      backup,
      replace: options.replace === true,
      putObject: objects && ((name, content) => objects.put(name, content)),
    })
    await key.store()
    const rows = backup.index.tables.reduce((sum, table) => sum + table.rows, 0)
    await recordBackupEvent(database, log, {
      type: 'backups.restored',
      data: { via: 'terminal', file: basename(path), rows, created_at },
    })
    console.log(`Restored ${count(backup.index.tables.length, 'table')} with ${count(rows, 'row')}.`)
    if (backup.objects > 0) console.log(`Restored ${count(backup.objects, 'object')}.`)
    for (const line of key.report) console.error(line)
    const { pending } = await migrationState(database, migrationSets)
    if (pending.length > 0)
      console.error(
        `${count(pending.length, 'migration')} will run at the next start, or with npx tutti migrate.`,
      )
  } catch (error) {
    throw error instanceof Failure ? new UserError(error.message, { cause: error }) : error
  }
}

interface KeyQuestion {
  readonly backup: InspectedBackup
  readonly database: Pick<Database, 'kind'>
  readonly settings: Pick<Settings, 'database' | 'encryption'>
  readonly options: RestoreOptions
  readonly askPassphrase: () => Promise<string>
}

/** What happens with the key once the rows are restored. */
interface KeyPlan {
  store(): Promise<void>
  readonly report: readonly string[]
}

const nothingToStore = { store: async () => {} }

/**
 * Decides before the restore how stored secrets will be decrypted after it.
 *
 * | the key of stored secrets                 | embedded database, no TUTTI_SECRET | any other                      |
 * |-------------------------------------------|------------------------------------|--------------------------------|
 * | nothing is encrypted                      | nothing to do                      | nothing to do                  |
 * | is configured here                        | nothing to do                      | nothing to do                  |
 * | is in the backup                          | becomes the file `secret`          | refused without `--key-out`    |
 * | is neither here nor in the backup         | refused without `--without-key`    | refused without `--without-key`|
 */
export async function planKey({
  backup,
  database,
  settings,
  options,
  askPassphrase: ask,
}: KeyQuestion): Promise<KeyPlan> {
  const { withoutKey, keyOut } = options
  const { dataDir } = settings.database
  if (keyOut !== undefined && existsSync(keyOut))
    throw new UserError(`${keyOut} exists already. Choose another name for --key-out.`)
  const known = await readInstallationSecrets({ settings: settings.encryption, database, dataDir })
  const isKnown = (keyId: string) => known.some(({ id }) => id === keyId)
  const missing = backup.index.encrypted.filter(({ key_id, values }) => values > 0 && !isKnown(key_id))
  const values = missing.reduce((sum, entry) => sum + entry.values, 0)
  if (withoutKey) {
    const lost = `${count(values, 'stored secret')} cannot be decrypted with the key of this installation.`
    return { ...nothingToStore, report: values === 0 ? [] : [lost, 'Enter them again in the console.'] }
  }
  if (missing.length === 0 && keyOut === undefined) return { ...nothingToStore, report: [] }
  if (backup.key === undefined) throw keyMissing(missing, values, keyOut)

  const secrets = await unlockKey(backup.key, await ask())
  const usesFile = database.kind === 'embedded' && settings.encryption.secret === undefined
  const [current = '', ...others] = secrets
  const stored = usesFile ? [keyIdOf(current)] : []
  const open = missing.filter(({ key_id }) => !stored.includes(key_id))
  if (open.length > 0 && keyOut === undefined) {
    throw new UserError(
      `The backup has ${count(values, 'stored secret')}, encrypted with a key that is in the backup, but not in the settings of this installation.\n` +
        'Add --key-out FILE to get the key as settings, and start the platform with them.',
    )
  }
  return {
    async store() {
      if (usesFile) await storeInstallationSecret(dataDir, current)
      if (keyOut !== undefined) await writeKeySettings(keyOut, secrets)
    },
    report: [
      ...(usesFile ? ['The key of the backup is now the key of this data folder.'] : []),
      ...(keyOut === undefined
        ? []
        : [
            `${keyOut} has the key of the backup${others.length > 0 ? ' and earlier ones' : ''}, as settings.`,
          ]),
    ],
  }
}

function keyMissing(
  missing: InspectedBackup['index']['encrypted'],
  values: number,
  keyOut: string | undefined,
): UserError {
  if (missing.length === 0)
    return new UserError(`The backup was made without --with-key: it has no key to write to ${keyOut ?? ''}.`)
  const sources = missing.map(({ source, key_id }) =>
    source === 'file' ? `the file "secret" of its data folder (key ${key_id})` : `${source} (key ${key_id})`,
  )
  return new UserError(
    `The backup has ${count(values, 'stored secret')}, encrypted with a key that neither this installation nor the backup has.\n` +
      `The key was ${sources.join(' and ')} of the installation that was backed up. Set TUTTI_SECRET to it, and restore again.\n` +
      'If the key is lost, restore with --without-key and enter the secrets again.',
  )
}

/** In the format of env files, as systemd and compose read them. Only the owner can read the file. */
async function writeKeySettings(
  path: string,
  [current = '', previous, ...older]: readonly string[],
): Promise<void> {
  const lines = [
    `TUTTI_SECRET=${current}`,
    ...(previous === undefined ? [] : [`TUTTI_SECRET_PREVIOUS=${previous}`]),
    ...older.map((secret) => `# an earlier secret: ${secret}`),
  ]
  try {
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`The data is restored, but the key could not be written to ${path}: ${reason}`, {
      cause,
    })
  }
}

import { basename } from 'node:path'
import { listObjects } from '#engine'
import {
  type BackupSummary,
  inspectBackup,
  type LockedKey,
  lockKey,
  verifyBackup,
  writeBackup,
} from '#kernel/backup'
import type { Database } from '#kernel/database'
import { type InstallationSecret, readInstallationSecrets } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import { createEvents, type NewEvent } from '#kernel/events'
import { type ObjectStore, openObjectStore } from '#kernel/objects'
import { createMetrics, type Logger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { version } from '../version.ts'
import { choosePassphrase } from './passphrase.ts'
import { count } from './text.ts'
import { withDatabase } from './with-database.ts'

export interface BackupOptions {
  readonly withKey?: true
  readonly verify?: true
}

/** `tutti backup`: writes all data into a file. */
export async function makeBackup(path: string, { withKey, verify }: BackupOptions): Promise<void> {
  await withDatabase(
    async ({ database, settings, log }) => {
      const { dataDir } = settings.database
      const secrets = await readInstallationSecrets({ settings: settings.encryption, database, dataDir })
      const key = withKey === true ? await lockSecrets(secrets) : undefined
      const store = openObjectStore(settings.objects)
      const objects = { list: listObjects, read: async (name: string) => await requireStore(store).get(name) }
      const summary = await writeBackup({ database, path, program: version, secrets, key, objects })
      const { tables, rows, objects: copied, objectsMissing, bytes } = summary
      const parts = [
        count(tables, 'table'),
        count(rows, 'row'),
        ...(copied > 0 ? [count(copied, 'object')] : []),
      ]
      console.log(`${path}: ${parts.join(', ')}, ${writeSize(bytes)}.`)
      if (objectsMissing > 0)
        console.error(`${count(objectsMissing, 'object')} of rows could not be found in the object store.`)
      for (const line of aboutKey(summary, secrets, key)) console.error(line)
      await recordBackupEvent(database, log, {
        type: 'backups.created',
        data: { via: 'terminal', file: basename(path), rows, bytes, with_key: key !== undefined },
      })
      if (verify) {
        const backup = await inspectBackup(path)
        await verifyBackup({ settings: settings.database, sets: migrationSets, backup, log })
        console.log('Verified: restored into a scratch database, and every table is equal.')
      }
    },
    { allowPending: true },
  )
}

/** Throws a `UserError` when outputs are in an object store that this command does not know. */
export function requireStore(store: ObjectStore | undefined): ObjectStore {
  if (store !== undefined) return store
  throw new UserError(
    'Outputs of steps are in an object store. Set TUTTI_OBJECTS_URL and its keys, as for the platform.',
  )
}

async function lockSecrets(secrets: readonly InstallationSecret[]): Promise<LockedKey> {
  if (secrets.length === 0)
    throw new UserError('There is no key to store: TUTTI_SECRET is not set. Leave out --with-key, or set it.')
  return lockKey(
    secrets.map(({ secret }) => secret),
    await choosePassphrase(),
  )
}

/** What the operator has to keep besides the file. */
function aboutKey(
  { encrypted, encryptedUnknown }: BackupSummary,
  secrets: readonly InstallationSecret[],
  key: LockedKey | undefined,
): string[] {
  const unknown =
    encryptedUnknown === 0
      ? []
      : [
          `${count(encryptedUnknown, 'stored secret')} cannot be decrypted with the settings of this command. Set TUTTI_SECRET to check it.`,
        ]
  if (key !== undefined) return ['The key is in the file, encrypted with the passphrase.', ...unknown]
  const used = encrypted.filter(({ values }) => values > 0)
  if (used.length === 0) return unknown
  const sources = secrets
    .filter(({ id }) => used.some(({ key_id }) => key_id === id))
    .map(({ source }) => source)
  const names = sources.map((source) => (source === 'file' ? 'the file "secret" of the data folder' : source))
  return [`The key of stored secrets is not in the file. Keep it elsewhere: ${names.join(', ')}.`, ...unknown]
}

/** Stores an event of the command line in the audit log. */
export async function recordBackupEvent(database: Database, log: Logger, event: NewEvent): Promise<void> {
  await using events = createEvents({ database, log, metrics: createMetrics({ watchProcess: false }) })
  await events.append(event)
}

function writeSize(bytes: number): string {
  return bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

import type { Database } from '#kernel/database'
import { Failure, UserError } from '#kernel/errors'
import { type AssociatedData, readParts } from './encrypted-text.ts'
import type { Encryption } from './encryption.ts'
import type { EncryptionSettings } from './settings.ts'

interface CheckOptions {
  readonly database: Pick<Database, 'kind' | 'query'>
  readonly encryption: Encryption
  readonly settings: EncryptionSettings
}

const associatedData: AssociatedData = { purpose: 'secret-check', place: 'installation' }

const readStatement = 'select encrypted from kernel_secret_check'

const insertStatement = 'insert into kernel_secret_check (encrypted) values ($1) on conflict do nothing'

/** Another process may have changed it meanwhile: the newer text stays. */
const replaceStatement = `
  update kernel_secret_check set encrypted = $1, changed_at = now() where encrypted = $2
`

/**
 * Compares the secret of this process with that of the installation, which is known by a text that it encrypted.
 *
 * | the stored text                     | this process                                      | result                             |
 * |-------------------------------------|---------------------------------------------------|------------------------------------|
 * | does not exist                      | can encrypt                                       | stored with its secret             |
 * | does not exist                      | has no secret                                     | nothing                            |
 * | is of the current secret            |                                                   | nothing                            |
 * | is of TUTTI_SECRET_PREVIOUS or file |                                                   | stored again, with TUTTI_SECRET    |
 * | is of an unknown secret             | names its key in TUTTI_SECRET_LOST, can encrypt   | stored again, with its own secret  |
 * | is of an unknown secret             |                                                   | refused with a `UserError`         |
 *
 * Without this, a replica with another secret would run: it would sign with another key and could not read what the others stored.
 */
export async function checkSecret({ database, encryption, settings }: CheckOptions): Promise<void> {
  const encrypted = (await read(database)) ?? (await store(database, encryption))
  if (encrypted === undefined) return
  const { keyId } = readParts(encrypted)
  const isKnown = await canDecrypt(encryption, encrypted)
  if (!isKnown && settings.lostSecret !== keyId) throw refusal(database, settings, keyId)
  if (encryption.canEncrypt() && !(await encryption.isCurrent(encrypted))) {
    await database.query(replaceStatement, [await encryption.encrypt('', associatedData), encrypted])
  }
}

async function read(database: CheckOptions['database']): Promise<string | undefined> {
  const [row] = await database.query<{ encrypted: string }>(readStatement)
  return row?.encrypted
}

/** Returns the text that is stored now: another process may have been first. */
async function store(
  database: CheckOptions['database'],
  encryption: Encryption,
): Promise<string | undefined> {
  if (!encryption.canEncrypt()) return undefined
  await database.query(insertStatement, [await encryption.encrypt('', associatedData)])
  return await read(database)
}

async function canDecrypt(encryption: Encryption, encrypted: string): Promise<boolean> {
  try {
    await encryption.decrypt(encrypted, associatedData)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'secret_wrong') return false
    throw error
  }
}

function refusal(
  { kind }: CheckOptions['database'],
  { secret }: EncryptionSettings,
  keyId: string,
): UserError {
  const problem =
    secret !== undefined
      ? 'TUTTI_SECRET is not the secret of this database. Set it to the secret of the other replicas; after a change of the secret set TUTTI_SECRET_PREVIOUS to the earlier one.'
      : kind === 'embedded'
        ? 'The file "secret" of the data folder is missing or not the one of this database. Put it back, or set TUTTI_SECRET to its content.'
        : 'This database has values that were encrypted with a secret. Set TUTTI_SECRET to it, as for the other replicas.'
  return new UserError(
    `${problem} If the secret is lost, start once with TUTTI_SECRET_LOST=${keyId}: what it encrypted stays unreadable and has to be stored again.`,
  )
}

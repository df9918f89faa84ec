import type { Setting } from '#kernel/config'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'

/** A stored setting. */
export interface StoredValue {
  /** Undefined when the value cannot be decrypted. */
  readonly text: string | undefined
  /** Why the value cannot be used; null when it can. */
  readonly problem: string | null
  readonly updatedAt: Date
  readonly updatedBy: string | null
}

interface Row {
  readonly name: string
  readonly value: string | null
  readonly encryptedValue: string | null
  readonly updatedAt: Date
  readonly updatedBy: string | null
}

const associatedDataOf = (name: string) => ({ purpose: 'setting', place: name })

/** Encrypts the text of a secret setting, bound to its name. Throws `secret_missing` when no secret is configured. */
export function encryptValue(encryption: Encryption, name: string, text: string): Promise<string> {
  return encryption.encrypt(text, associatedDataOf(name))
}

const selectStatement = `
  select name, value, encrypted_value as "encryptedValue", updated_at as "updatedAt", updated_by as "updatedBy"
  from kernel_settings
  where name = any($1)
`

interface ReadOptions {
  readonly database: Pick<Database, 'query'>
  readonly encryption: Encryption
  readonly log: Logger
  readonly settings: ReadonlyMap<string, Setting<unknown>>
}

/**
 * Reads the stored values of these settings. A value that this release cannot read, such as one of a newer release, and one that cannot be
 * decrypted, counts as not set: no stored value may keep the platform from starting. Throws when the database cannot be read.
 */
export async function readStoredValues(options: ReadOptions): Promise<ReadonlyMap<string, StoredValue>> {
  const { database, settings } = options
  const rows = await database.query<Row>(selectStatement, [[...settings.keys()]])
  const values = await Promise.all(rows.map(async (row) => [row.name, await readRow(row, options)] as const))
  return new Map(values)
}

async function readRow(row: Row, options: ReadOptions): Promise<StoredValue> {
  const { name, value, encryptedValue, updatedAt, updatedBy } = row
  const { log, settings } = options
  let text = value ?? undefined
  try {
    if (encryptedValue !== null) text = await decrypt(name, encryptedValue, options)
    if (text !== undefined) settings.get(name)?.parse(text)
    return { text, problem: null, updatedAt, updatedBy }
  } catch (error) {
    if (error instanceof Failure && error.status !== 409) throw error
    const problem = error instanceof Error ? error.message : String(error)
    const reason = error instanceof Failure ? error.code : 'invalid'
    log.error({ setting: name, reason }, 'a stored setting cannot be used; its default applies')
    return { text: undefined, problem, updatedAt, updatedBy }
  }
}

/** Decrypts a value, and encrypts it again with a new secret, so that the previous secret can be removed. */
async function decrypt(
  name: string,
  encrypted: string,
  { database, encryption, log }: ReadOptions,
): Promise<string> {
  const text = await encryption.decrypt(encrypted, associatedDataOf(name))
  if (encryption.canEncrypt() && !(await encryption.isCurrent(encrypted))) {
    const again = await encryptValue(encryption, name, text)
    await database.query(
      'update kernel_settings set encrypted_value = $1 where name = $2 and encrypted_value = $3',
      [again, name, encrypted],
    )
    log.info({ setting: name }, 'a stored setting was encrypted with the new secret')
  }
  return text
}

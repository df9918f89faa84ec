import type { Database, DatabaseSettings } from '#kernel/database'
import { type AssociatedData, createEncryptionKey, type EncryptionKey, readParts } from './encrypted-text.ts'
import { encryptionFailure } from './errors.ts'
import { createSecretFile } from './secret-file.ts'
import type { EncryptionSettings } from './settings.ts'

/**
 * Encrypts texts for the database that only this installation can read.
 *
 * | configuration                           | encrypts with           | decrypts with                             |
 * |-----------------------------------------|-------------------------|-------------------------------------------|
 * | TUTTI_SECRET                            | it                      | it, TUTTI_SECRET_PREVIOUS, the file       |
 * | no TUTTI_SECRET, embedded database      | the file, created at    | the file, TUTTI_SECRET_PREVIOUS           |
 * |                                         | the first use           |                                           |
 * | no TUTTI_SECRET, server of DATABASE_URL | nothing                 | TUTTI_SECRET_PREVIOUS                     |
 *
 * Only an embedded database has the file.
 */
export interface Encryption {
  /** Whether a secret exists, or can be created. */
  canEncrypt(): boolean
  /** Throws `secret_missing` when no secret is configured. */
  encrypt(text: string, associatedData: AssociatedData): Promise<string>
  /** Decrypts a text. Throws `secret_wrong` when its secret is unknown, `sealed_damaged` when it was changed or moved. */
  decrypt(encrypted: string, associatedData: AssociatedData): Promise<string>
  /** Whether the text was encrypted with the current secret; if not, encrypt it again. */
  isCurrent(encrypted: string): Promise<boolean>
}

interface EncryptionOptions {
  readonly settings: Pick<EncryptionSettings, 'secret' | 'previousSecret'>
  readonly database: Pick<Database, 'kind'>
  /** The folder of the embedded database. */
  readonly dataDir: DatabaseSettings['dataDir']
}

/** Creates the encryption of this installation. Reads no file yet and does not throw; the methods of `Encryption` say what they throw. */
export function createEncryption({ settings, database, dataDir }: EncryptionOptions): Encryption {
  const file = database.kind === 'embedded' ? createSecretFile(dataDir) : undefined
  const configured = keyOf(settings.secret)
  const previous = keyOf(settings.previousSecret)
  let fromFile: EncryptionKey | undefined

  /** The key to encrypt with; undefined when there is none and `create` is false. */
  async function current({ create }: { readonly create: boolean }): Promise<EncryptionKey | undefined> {
    return configured ?? (await fileKey(create))
  }

  async function fileKey(create: boolean): Promise<EncryptionKey | undefined> {
    fromFile ??= keyOf(await (create ? file?.readOrCreate() : file?.read()))
    return fromFile
  }

  return {
    canEncrypt: () => configured !== undefined || file !== undefined,

    async encrypt(text, associatedData) {
      const key = await current({ create: true })
      if (key === undefined) throw encryptionFailure('secret_missing')
      return key.encrypt(text, associatedData)
    },

    async decrypt(encrypted, associatedData) {
      const { keyId } = readParts(encrypted)
      const known = [configured, previous].find((key) => key?.id === keyId) ?? (await fileKey(false))
      if (known?.id !== keyId) throw encryptionFailure('secret_wrong')
      return known.decrypt(encrypted, associatedData)
    },

    async isCurrent(encrypted) {
      return (await current({ create: false }))?.id === readParts(encrypted).keyId
    },
  }
}

function keyOf(secret: string | undefined): EncryptionKey | undefined {
  return secret === undefined ? undefined : createEncryptionKey(secret)
}

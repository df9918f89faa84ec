import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database, DatabaseSettings } from '#kernel/database'
import { type AssociatedData, createEncryptionKey, type EncryptionKey, readParts } from './encrypted-text.ts'
import { encryptionFailure } from './errors.ts'
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
  readonly settings: EncryptionSettings
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

const fileName = 'secret'

/** The secret of the embedded database, in a file of the data folder that only its owner can read. */
interface SecretFile {
  /** Undefined when the file does not exist. */
  read(): Promise<string | undefined>
  /** Creates the file if it does not exist. */
  readOrCreate(): Promise<string>
}

function createSecretFile(dataDir: string): SecretFile {
  const path = join(dataDir, fileName)

  async function read(): Promise<string | undefined> {
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (cause) {
      if (isCode(cause, 'ENOENT')) return undefined
      throw unusable(path, 'cannot be read', cause)
    }
    const secret = text.trim()
    if (secret.length < 32) throw unusable(path, 'does not contain a secret')
    return secret
  }

  return {
    read,
    async readOrCreate() {
      const secret = (await read()) ?? (await writeNewSecret(path)) ?? (await read())
      if (secret === undefined) throw unusable(path, 'was deleted while it was created')
      return secret
    },
  }
}

/** Creates the file atomically. Returns undefined when another process created it first. */
async function writeNewSecret(path: string): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    {
      await using file = await open(draft, 'wx', 0o600)
      await file.writeFile(`${secret}\n`)
      await file.sync()
    }
    // Unlike a rename, a link never replaces an existing file.
    await link(draft, path)
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
    return secret
  } catch (cause) {
    if (isCode(cause, 'EEXIST')) return undefined
    throw unusable(path, 'cannot be created', cause)
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

function unusable(path: string, problem: string, cause?: unknown) {
  return encryptionFailure('secret_missing', {
    message: `The file ${path} ${problem}. Correct it, or set TUTTI_SECRET.`,
    cause,
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database, DatabaseSettings } from '#kernel/database'
import { type AssociatedData, createEncryptionKey, type EncryptionKey, readParts } from './encrypted-text.ts'
import { encryptionFailure } from './errors.ts'
import type { EncryptionSettings } from './settings.ts'

/**
 * Texts that the database keeps and only this installation can read.
 *
 * | there is                                | seals                  | opens                                      |
 * |-----------------------------------------|------------------------|--------------------------------------------|
 * | TUTTI_SECRET                            | with it                | with it, TUTTI_SECRET_PREVIOUS, the file   |
 * | none, and the embedded database         | with the file's, which | with the file's, TUTTI_SECRET_PREVIOUS     |
 * |                                         | the first use makes    |                                            |
 * | none, and a server of one's own         | nothing                | with TUTTI_SECRET_PREVIOUS                 |
 *
 * The file is that of an embedded database; there is none beside a server.
 */
export interface Encryption {
  /** Whether there is a secret to seal with, or one can be made. */
  canEncrypt(): boolean
  /** Throws `secret_missing`, which says what to set. */
  encrypt(text: string, associatedData: AssociatedData): Promise<string>
  /** Throws `secret_wrong` when it was sealed with a secret we do not have, `sealed_damaged` when it stands elsewhere now. */
  open(encrypted: string, associatedData: AssociatedData): Promise<string>
  /** Whether it was sealed with the secret of now; what was not should be sealed again. */
  isCurrent(encrypted: string): Promise<boolean>
}

export interface EncryptionOptions {
  readonly settings: EncryptionSettings
  readonly database: Pick<Database, 'kind'>
  /** The folder of the embedded database. */
  readonly dataDir: DatabaseSettings['dataDir']
}

export function createEncryption({ settings, database, dataDir }: EncryptionOptions): Encryption {
  const file = database.kind === 'embedded' ? createSecretFile(dataDir) : undefined
  const configured = keyOf(settings.secret)
  const previous = keyOf(settings.previousSecret)
  let fromFile: EncryptionKey | undefined

  /** The key to seal with; undefined when there is none and none may be made now. */
  async function current({ make }: { readonly make: boolean }): Promise<EncryptionKey | undefined> {
    return configured ?? (await fileKey(make))
  }

  async function fileKey(make: boolean): Promise<EncryptionKey | undefined> {
    fromFile ??= keyOf(await (make ? file?.readOrMake() : file?.read()))
    return fromFile
  }

  return {
    canEncrypt: () => configured !== undefined || file !== undefined,

    async encrypt(text, associatedData) {
      const key = await current({ make: true })
      if (key === undefined) throw encryptionFailure('secret_missing')
      return key.encrypt(text, associatedData)
    },

    async open(encrypted, associatedData) {
      const { keyId } = readParts(encrypted)
      const known = [configured, previous].find((key) => key?.id === keyId) ?? (await fileKey(false))
      if (known?.id !== keyId) throw encryptionFailure('secret_wrong')
      return known.open(encrypted, associatedData)
    },

    async isCurrent(encrypted) {
      return (await current({ make: false }))?.id === readParts(encrypted).keyId
    },
  }
}

function keyOf(secret: string | undefined): EncryptionKey | undefined {
  return secret === undefined ? undefined : createEncryptionKey(secret)
}

const fileName = 'secret'

/** The secret of the embedded database, in a file beside it that its owner alone can read. */
interface SecretFile {
  /** Undefined when there is none yet. */
  read(): Promise<string | undefined>
  /** The secret that is there, made when it is not. */
  readOrMake(): Promise<string>
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
    if (secret.length < 32) throw unusable(path, 'does not hold a secret')
    return secret
  }

  return {
    read,
    async readOrMake() {
      const secret = (await read()) ?? (await writeNewSecret(path)) ?? (await read())
      if (secret === undefined) throw unusable(path, 'went away while it was made')
      return secret
    },
  }
}

/** Complete or not there at all, whenever the process ends. Answers nothing when another process was faster. */
async function writeNewSecret(path: string): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    {
      await using file = await open(draft, 'wx', 0o600)
      await file.writeFile(`${secret}\n`)
      await file.sync()
    }
    // Unlike a rename, a link never replaces what is there.
    await link(draft, path)
    await using folder = await open(dirname(path), 'r')
    await folder.sync()
    return secret
  } catch (cause) {
    if (isCode(cause, 'EEXIST')) return undefined
    throw unusable(path, 'cannot be made', cause)
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

function unusable(path: string, what: string, cause?: unknown) {
  return encryptionFailure('secret_missing', {
    message: `The file ${path} ${what}. Mend it, or set TUTTI_SECRET.`,
    cause,
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createEncryptionKey } from './encrypted-text.ts'
import { encryptionFailure } from './errors.ts'

const fileName = 'secret'

/** The secret of the embedded database, in a file of the data folder that only its owner can read. */
export interface SecretFile {
  /** Undefined when the file does not exist. */
  read(): Promise<string | undefined>
  /** Creates the file if it does not exist. */
  readOrCreate(): Promise<string>
  /** Stores this secret. A file with another one is kept as `secret.<key id>`, for older backups. */
  replace(secret: string): Promise<void>
}

export function createSecretFile(dataDir: string): SecretFile {
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
      const secret =
        (await read()) ?? (await writeSecret(path, randomBytes(32).toString('base64url'))) ?? (await read())
      if (secret === undefined) throw unusable(path, 'was deleted while it was created')
      return secret
    },
    async replace(secret) {
      const existing = await read()
      if (existing === secret) return
      if (existing !== undefined) await rename(path, `${path}.${createEncryptionKey(existing).id}`)
      if ((await writeSecret(path, secret)) === undefined)
        throw unusable(path, 'was created by another process')
    },
  }
}

/** Creates the file atomically. Returns undefined when another process created it first. */
async function writeSecret(path: string, secret: string): Promise<string | undefined> {
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

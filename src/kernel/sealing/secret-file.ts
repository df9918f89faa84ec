import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sealingFailure } from './errors.ts'

const fileName = 'secret'

/** The secret of the embedded database, in a file beside it that its owner alone can read. */
export interface SecretFile {
  /** Undefined when there is none yet. */
  read(): Promise<string | undefined>
  /** The secret that is there, made when it is not. */
  readOrMake(): Promise<string>
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
    if (secret.length < 32) throw unusable(path, 'does not hold a secret')
    return secret
  }

  return {
    read,
    async readOrMake() {
      const secret = (await read()) ?? (await make(path)) ?? (await read())
      if (secret === undefined) throw unusable(path, 'went away while it was made')
      return secret
    },
  }
}

/** Complete or not there at all, whenever the process ends. Answers nothing when another process was faster. */
async function make(path: string): Promise<string | undefined> {
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
  return sealingFailure('secret_missing', {
    message: `The file ${path} ${what}. Mend it, or set TUTTI_SECRET.`,
    cause,
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

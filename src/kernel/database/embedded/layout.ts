import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserError } from '#kernel/errors'

/** The paths of one embedded database. */
export interface Layout {
  /** TUTTI_DATA_DIR as an absolute path without symbolic links. */
  readonly dataDir: string
  /** PostgreSQL's `data_directory`. */
  readonly cluster: string
  /** Contains the Unix socket; accessible only to its owner. */
  readonly socketDir: string
  /** Records the process that owns the database. */
  readonly ownerFile: string
}

/** With TCP off, the port is only part of the name of PostgreSQL's socket. */
export const socketPort = 5432
const socketName = `.s.PGSQL.${socketPort}`

/** A socket address has 108 bytes on Linux and 104 elsewhere, including the final zero. */
const maxSocketPathLength = process.platform === 'linux' ? 107 : 103

export function socketLockPath(socketDir: string): string {
  return join(socketDir, `${socketName}.lock`)
}

/** Creates the data folder if necessary and returns its paths. Throws a `UserError` when the folder cannot be used. */
export function prepareLayout(chosenDataDir: string): Layout {
  const dataDir = makeFolder(resolve(chosenDataDir))
  return {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    socketDir: chooseSocketDir(dataDir),
    ownerFile: join(dataDir, 'owner.json'),
  }
}

/** A folder inside the data folder if its path is short enough for a socket, else a temporary folder named by a hash of that path. */
function chooseSocketDir(dataDir: string): string {
  const insideDataDir = join(dataDir, 'run')
  if (fits(insideDataDir)) return insideDataDir
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const outside = [tmpdir(), '/tmp'].map((folder) => join(folder, `tutti-${digest}`)).find(fits)
  if (outside === undefined) {
    throw new UserError(
      `The path ${dataDir} is too long for a Unix socket. Set TUTTI_DATA_DIR to a shorter path (at most ${maxSocketPathLength} bytes).`,
    )
  }
  return outside
}

/** Removes a socket folder outside the data folder. A folder that is in use again is not empty and stays. */
export function removeOutsideSocketDir({ dataDir, socketDir }: Layout): void {
  if (socketDir.startsWith(dataDir)) return
  try {
    rmdirSync(socketDir)
  } catch {
    // Another process has started a server there meanwhile.
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= maxSocketPathLength
}

function makeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `The data folder ${path} cannot be used (${reason}). Set TUTTI_DATA_DIR to a folder that this user may write.`,
      { cause: error },
    )
  }
}

/** The connection URL for tools such as `psql`, while the database runs. Throws when the data folder does not exist. */
export function embeddedDatabaseUrl(dataDir: string, databaseName = 'tutti'): string {
  const socketDir = chooseSocketDir(realpathSync(resolve(dataDir)))
  return `postgres://tutti@${encodeURIComponent(socketDir)}/${databaseName}`
}

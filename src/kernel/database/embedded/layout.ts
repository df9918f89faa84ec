import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserMistake } from '#kernel/errors'

/** Where everything of one embedded database lies. */
export interface Layout {
  /** The folder the user chose, as an absolute path without links. */
  readonly dataDir: string
  /** PostgreSQL's own files; what it calls `data_directory`. */
  readonly cluster: string
  /** Holds the Unix socket; open to its owner alone. */
  readonly socketDir: string
  /** Names the process that owns the database. */
  readonly ownerFile: string
}

/** The name and the lock file of PostgreSQL's socket; the port is only a part of the name here. */
export const socketPort = 5432
const socketName = `.s.PGSQL.${socketPort}`

/** A socket address holds 108 bytes on Linux and 104 elsewhere, with the final zero. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103

export function socketLockPath(socketDir: string): string {
  return join(socketDir, `${socketName}.lock`)
}

/** Creates the data folder if need be and answers where things lie in it. */
export function prepareLayout(chosenDataDir: string): Layout {
  const dataDir = makeFolder(resolve(chosenDataDir))
  return {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    socketDir: chooseSocketDir(dataDir),
    ownerFile: join(dataDir, 'owner.json'),
  }
}

/** The inside of the data folder where that is short enough, else a folder beside it that its path names for all time. */
function chooseSocketDir(dataDir: string): string {
  const inside = join(dataDir, 'run')
  if (fits(inside)) return inside
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const outside = [tmpdir(), '/tmp'].map((folder) => join(folder, `tutti-${digest}`)).find(fits)
  if (outside === undefined) {
    throw new UserMistake(
      `The path ${dataDir} is too long for a Unix socket. Set TUTTI_DATA_DIR to a shorter one (at most ${longestSocketPath} bytes).`,
    )
  }
  return outside
}

/** Leaves nothing behind outside the data folder. A folder that is in use again is not empty and stays. */
export function removeOutsideSocketDir({ dataDir, socketDir }: Layout): void {
  if (socketDir.startsWith(dataDir)) return
  try {
    rmdirSync(socketDir)
  } catch {
    // Somebody has started a server there meanwhile.
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= longestSocketPath
}

function makeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserMistake(
      `The data folder ${path} cannot be used (${reason}). Set TUTTI_DATA_DIR to a folder this user may write.`,
      { cause: error },
    )
  }
}

/** The address for tools such as `psql`, while the database runs. */
export function embeddedDatabaseUrl(dataDir: string, databaseName = 'tutti'): string {
  const socketDir = chooseSocketDir(realpathSync(resolve(dataDir)))
  return `postgres://tutti@${encodeURIComponent(socketDir)}/${databaseName}`
}

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmod, chown, lchown, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UserMistake } from '#kernel/errors'
import { errorCode } from '../connection-errors.ts'
import { programPath } from './binaries.ts'
import type { RunAs } from './run-as.ts'

/** The PostgreSQL programs, ready to be started as the right user, and files made for that user. */
export interface PostgresPrograms {
  /** Runs a program to its end; a failure carries what it printed. */
  run(program: 'initdb' | 'postgres', args: readonly string[], input?: string): Promise<void>
  /** Starts the server, which outlives us. */
  startServer(args: readonly string[]): ChildProcess
  /** Makes a folder that is the server's alone, or makes sure that the one there is. */
  makeFolder(path: string): Promise<void>
  /** Gives an existing folder and all that is in it to the server's user. */
  takeOver(path: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
}

export function createPrograms({ prefix, account, binaries }: RunAs): PostgresPrograms {
  // PG… variables of ours would change what we start, so nothing but the path is passed on.
  const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }

  function start(
    program: 'initdb' | 'postgres',
    args: readonly string[],
    options: SpawnOptions,
  ): ChildProcess {
    const [command = '', ...rest] = [...prefix, programPath(binaries, program), ...args]
    return spawn(command, rest, { ...account, cwd: '/', env: environment, ...options })
  }

  async function give(path: string): Promise<void> {
    if (account) await chown(path, account.uid, account.gid)
  }

  return {
    async run(program, args, input = '') {
      const child = start(program, args, { stdio: 'pipe' })
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
      await untilDone(program, child)
    },

    startServer(args) {
      // A process group of its own: Ctrl-C at the terminal is for us to handle, in order.
      const child = start('postgres', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
      child.unref()
      return child
    },

    async makeFolder(path) {
      await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error
      })
      const folder = await lstat(path)
      // Under a shared temporary folder somebody else may have been there first.
      if (!folder.isDirectory() || ![process.getuid?.(), account?.uid].includes(folder.uid)) {
        throw new UserMistake(
          `${path} is not a folder of ours. Remove it, or set TUTTI_DATA_DIR to another folder.`,
        )
      }
      await chmod(path, 0o700)
      await give(path)
    },

    async takeOver(path) {
      if (account === undefined || (await lstat(path)).uid === account.uid) return
      for (const name of await readdir(path, { recursive: true })) {
        await lchown(join(path, name), account.uid, account.gid)
      }
      // Last, so that a kill on the way is seen and made up for at the next start.
      await give(path)
    },

    async writeFile(path, text) {
      await using file = await open(path, 'wx', 0o600)
      await file.writeFile(text)
      await file.sync()
      await give(path)
    },
  }
}

function untilDone(program: string, child: ChildProcess): Promise<void> {
  const printed: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => printed.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const text = Buffer.concat(printed).toString().trim()
      reject(new UserMistake(`PostgreSQL's ${program} ended with ${code ?? signal}:\n${text}`))
    })
  })
}

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmod, chown, lchown, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '#kernel/errors'
import { errorCode } from '#kernel/postgres'
import { programPath } from './binaries.ts'
import type { RunAs } from './run-as.ts'

/** Runs PostgreSQL programs as the chosen user, and creates files for that user. */
export interface PostgresPrograms {
  /** Runs a program to its end. Throws a `UserError` with its output when it fails. */
  run(program: 'initdb' | 'postgres', args: readonly string[], input?: string): Promise<void>
  /** Starts the server, which outlives this process. */
  startServer(args: readonly string[]): ChildProcess
  /** Creates a folder for the server's user alone, or checks an existing one. Throws a `UserError` for a folder of another user. */
  makeFolder(path: string): Promise<void>
  /** Changes the owner of an existing folder and its content to the server's user. */
  takeOver(path: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
}

/** Calls `onStarting` for each program, as soon as its process runs. */
export function createPrograms(
  { prefix, account, binaries }: RunAs,
  onStarting = () => {},
): PostgresPrograms {
  // PG… variables of this process would change the server, so only the path is passed on.
  const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }

  function start(
    program: 'initdb' | 'postgres',
    args: readonly string[],
    options: SpawnOptions,
  ): ChildProcess {
    const [command = '', ...rest] = [...prefix, programPath(binaries, program), ...args]
    const child = spawn(command, rest, { ...account, cwd: '/', env: environment, ...options })
    onStarting()
    return child
  }

  async function changeOwner(path: string): Promise<void> {
    if (account) await chown(path, account.uid, account.gid)
  }

  return {
    async run(program, args, input = '') {
      const child = start(program, args, { stdio: 'pipe' })
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
      await waitForExit(program, child)
    },

    startServer(args) {
      // A process group of its own: on Ctrl-C this process stops the server in order.
      const child = start('postgres', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
      child.unref()
      return child
    },

    async makeFolder(path) {
      await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error
      })
      const folder = await lstat(path)
      // Another user may have created this name in a shared temporary folder.
      if (!folder.isDirectory() || ![process.getuid?.(), account?.uid].includes(folder.uid)) {
        throw new UserError(
          `${path} is not a folder of this user. Remove it, or set TUTTI_DATA_DIR to another folder.`,
        )
      }
      await chmod(path, 0o700)
      await changeOwner(path)
    },

    async takeOver(path) {
      if (account === undefined || (await lstat(path)).uid === account.uid) return
      for (const name of await readdir(path, { recursive: true })) {
        await lchown(join(path, name), account.uid, account.gid)
      }
      // The folder itself comes last: if this process is killed before, the next start repeats the change.
      await changeOwner(path)
    },

    async writeFile(path, text) {
      await using file = await open(path, 'wx', 0o600)
      await file.writeFile(text)
      await file.sync()
      await changeOwner(path)
    },
  }
}

function waitForExit(program: string, child: ChildProcess): Promise<void> {
  const printed: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => printed.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const text = Buffer.concat(printed).toString().trim()
      reject(new UserError(`PostgreSQL's ${program} ended with ${code ?? signal}:\n${text}`))
    })
  })
}

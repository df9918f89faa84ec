import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loopDelayLimitMs } from './loop-delay-limit.ts'
import { patience } from './patience.ts'

export interface ProcessOptions {
  /** A TypeScript or JavaScript file, run by the Node of the tests. */
  readonly file: URL
  readonly args?: readonly string[]
  /** Added to our own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly uid?: number
  readonly gid?: number
}

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A child process of a test. Always killed when its scope ends. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number
  /** Everything printed so far, line by line. */
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** Resolves when the process has ended and all it printed has been read. */
  readonly exit: Promise<Exit>
  /** The first line of standard output that matches, past or future. Fails when the process ends without it. */
  waitForLine(pattern: RegExp, timeoutMs?: number): Promise<string>
  /** Ends the process, by default with kill -9, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<Exit>
}

/** The compile cache of `bin/tutti`: without it each start takes a second more of processor time. */
const compileCache = new URL('../../.cache/node', import.meta.url).pathname

/** Starts a child process; `await using child = await startProcess({ file })`. */
export async function startProcess({
  file,
  args = [],
  env = {},
  cwd,
  uid,
  gid,
}: ProcessOptions): Promise<RunningProcess> {
  const child = spawn(process.execPath, [file.pathname, ...args], {
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TUTTI_LOOP_DELAY_LIMIT: `${loopDelayLimitMs}ms`,
      ...process.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const stdout: string[] = []
  const stderr: string[] = []
  const watchers = new Set<(line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout.push(line)
    for (const watch of watchers) watch(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line))
  const exit = new Promise<Exit>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  await once(child, 'spawn')

  function describe(): string {
    return [...stdout.slice(-20), ...stderr.slice(-20)].join('\n')
  }

  async function waitForLine(pattern: RegExp, timeoutMs = 90_000 * patience): Promise<string> {
    const past = stdout.find((line) => pattern.test(line))
    if (past !== undefined) return past
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const watch = (line: string) => {
      if (pattern.test(line)) resolve(line)
    }
    watchers.add(watch)
    const timer = setTimeout(() => {
      reject(new Error(`no line like ${pattern} within ${timeoutMs} ms; printed:\n${describe()}`))
    }, timeoutMs)
    void exit.then(({ code, signal }) =>
      reject(
        new Error(`ended with ${code ?? signal} before a line like ${pattern}; printed:\n${describe()}`),
      ),
    )
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      watchers.delete(watch)
    }
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    child.kill(signal)
    return exit
  }

  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    exit,
    waitForLine,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
    },
  }
}

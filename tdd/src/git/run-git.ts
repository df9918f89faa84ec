import { spawnSync } from 'node:child_process'

/** The timeout of a program that a check runs. Generous, because a loaded machine is slow, and a check that did not end finds nothing. */
export const checkTimeoutMs = 30_000

/** Runs git; undefined without git, without a repository, on an error, or after the timeout. */
export type Git = (args: readonly string[]) => string | undefined

/** Runs git commands that share one timeout. */
export function gitWithin(cwd: string, limitMs: number): Git {
  const until = Date.now() + limitMs
  return (args) => (Date.now() >= until ? undefined : runGit(cwd, args, until - Date.now()))
}

/** Runs one git command. */
export function runGit(cwd: string, args: readonly string[], timeoutMs = checkTimeoutMs): string | undefined {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // A check must not take locks, which would block git commands of the user.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  })
  return status === 0 ? stdout : undefined
}

/** Splits the output of git with `-z`. */
export function nulSeparated(text: string): string[] {
  return text.split('\0').filter((part) => part !== '')
}

import { spawnSync } from 'node:child_process'

/** What a check may wait for another program. */
export const checkTimeoutMs = 5000

/** Asks git; undefined when there is no git, no repository, no such thing, or no answer in time. */
export type Git = (args: readonly string[]) => string | undefined

/** A git that answers within one time limit, however many questions it is asked. */
export function gitWithin(cwd: string, limitMs: number): Git {
  const until = Date.now() + limitMs
  return (args) => (Date.now() >= until ? undefined : runGit(cwd, args, until - Date.now()))
}

/** Asks git one question. */
export function runGit(cwd: string, args: readonly string[], timeoutMs = checkTimeoutMs): string | undefined {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // A check must never take the locks that a person's own git needs.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  })
  return status === 0 ? stdout : undefined
}

/** Splits what git prints with `-z`. */
export function nulSeparated(text: string): string[] {
  return text.split('\0').filter((part) => part !== '')
}

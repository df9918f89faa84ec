import { execFile } from 'node:child_process'
import { patience } from '../support/patience.ts'
import { launcher as launcherOfProgram } from '../support/program.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  /** What standard input has; nothing when absent. */
  readonly input?: string
  readonly cwd?: string
  /** Default: the one of the bundled program. */
  readonly launcher?: string
}

/** Runs the command to its end, as a script would. */
export function runTutti(
  args: readonly string[],
  { env, input = '', cwd = process.cwd(), launcher = launcherOfProgram }: RunOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      launcher,
      args,
      { env: { ...process.env, ...env }, cwd, timeout: 110_000 * patience },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
      },
    )
    // A command that has no use for it may have ended before it is written.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

import { writeSync } from 'node:fs'
import { parseArguments } from './commands/arguments.ts'
import { dispatch } from './commands/dispatch.ts'
import { statusText } from './commands/status.ts'
import { CommandFailure, type Surroundings } from './commands/surroundings.ts'
import { validateText } from './commands/validate.ts'
import { parseConfig } from './config/parse-config.ts'
import { measureCoverage } from './evidence/measure-coverage.ts'
import { runGit } from './git/run-git.ts'
import type { Heavy } from './hook/hook.ts'
import { UnusableState } from './state/state.ts'
import { notify } from './team/notify.ts'

/** The functions of the hook for calls that need more than the phase. */
export const heavy: Heavy = {
  parseConfig,
  measureCoverage,
  report: (name, cwd) => {
    const surroundings = { ...terminal(), cwd }
    return name === 'status' ? statusText(surroundings) : validateText(surroundings)
  },
  runGit,
  notifyBlocked: (project, reason) => notify({ title: 'Edit blocked', body: `${project.root}: ${reason}` }),
}

/** Runs one command and sets the exit code. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const surroundings = terminal()
  try {
    process.exitCode = await dispatch(parseArguments(args), surroundings)
  } catch (error) {
    process.exitCode = report(error, surroundings)
  }
}

function report(error: unknown, { warn }: Surroundings): number {
  if (error instanceof CommandFailure || error instanceof UnusableState) {
    warn(`tutti-tdd: ${error.message}`)
    return error instanceof CommandFailure ? error.exitCode : 1
  }
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    warn(`tutti-tdd: ${path ?? 'the project'} cannot be written; the phase stays as it is`)
    return 1
  }
  warn('tutti-tdd: something went wrong that should not have. Please report it with the lines below.')
  warn(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

function terminal(): Surroundings {
  return {
    cwd: process.cwd(),
    distFolder: __dirname.replaceAll('\\', '/'),
    now: new Date(),
    print: (line) => writeLine(1, line),
    warn: (line) => writeLine(2, line),
  }
}

/** A closed output pipe, as with `head`, is no error. */
function writeLine(descriptor: number, line: string): void {
  try {
    writeSync(descriptor, `${line}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

import { type Command, CommanderError } from 'commander'
import { UserError } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'

/** The options of every command that uses a platform. */
export interface RemoteOptions extends PlatformOptions {
  readonly json?: true
}

export interface DeleteOptions extends RemoteOptions {
  readonly yes?: true
}

/** Exit codes of commands that use a platform over HTTP. */
export const exitCodes = {
  done: 0,
  /** The work was done and its result is negative: a failed run, a flow with problems, a difference. */
  failed: 1,
  /** The command could not do its work: usage, connection, key, permission, or something that does not exist. */
  notPossible: 2,
  /** The platform or the file was changed in between; nothing was overwritten. */
  conflict: 3,
  /** Ctrl-C, as shells report it. */
  interrupted: 130,
} as const

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const aboutExitCodes = `
Exit codes: 0 done, 1 failed, 2 not possible (usage, connection, key,
permission, not found), 3 conflict.`

/** The options that name a platform. */
export function addPlatformOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'a platform you signed in to with npx tutti login (default: TUTTI_PROFILE)')
    .option(
      '--url <url>',
      'address of the platform (default: TUTTI_URL, else the profile, else this machine)',
    )
    .option('--key <key>', 'an API key (default: TUTTI_API_KEY, which no other user of the machine can see)')
}

/** A command that uses a platform: it gets the options for it, `--json`, and ends with 2 when it is used wrongly. */
export function addRemoteOptions(command: Command, json: string): Command {
  return addPlatformOptions(command.option('--json', json)).exitOverride(endWithNotPossible)
}

/** Usage errors of these commands end with 2; help ends with 0. */
export function endWithNotPossible(error: CommanderError): never {
  throw error.exitCode === 0 ? error : new CommanderError(exitCodes.notPossible, error.code, error.message)
}

/** An action whose exit code is returned; a UserError is printed and ends with 2. */
export function remote<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<ExitCode>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    try {
      process.exitCode = await work(...given)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      printError(error.message)
      process.exitCode = exitCodes.notPossible
    }
  }
}

/** Prints a message to standard error, each line with the name of the command. */
function printError(message: string): void {
  for (const line of message.split('\n')) console.error(`tutti: ${line}`)
}

/** Prints a value for scripts. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}

/** Encodes an id: it must not lead to another path of the API. */
export function inPath(id: string): string {
  return encodeURIComponent(id)
}

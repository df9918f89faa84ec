import type { SlashText } from './slash-commands.ts'

/** A JSON object from a file of the user. */
export type Json = { [name: string]: unknown }

/** A file that belongs to this tool alone. */
export interface OwnFile {
  readonly path: string
  readonly content: string
}

/** A settings file of the user, to which entries are added and from which they are removed again. */
export interface SharedSettings {
  readonly path: string
  /** The content of a new file. */
  readonly initial: Json
  /** Hook entries by the assistant's event. */
  readonly entries: Readonly<Record<string, readonly Json[]>>
}

/** The data about one assistant, for `init`, `doctor` and `uninstall`. */
export interface AgentSetup {
  readonly name: string
  /** Files or folders that show that the assistant is used in the project. */
  readonly traces: readonly string[]
  readonly settings?: SharedSettings
  /** The file that makes the assistant call the hook, for `doctor` to check. */
  readonly hookFile: string
  /** Separate files that make the assistant call the hook; some are copied from the build folder. */
  readonly ownFiles: (distFolder: string) => readonly OwnFile[]
  /** The command file of one slash command. */
  readonly slashFile: (text: SlashText) => OwnFile
  /** The command by which the assistant calls the hook before an edit, read from its settings; undefined if there is none. */
  readonly editCommand: (settings: Json) => string | undefined
  /** Whether the assistant calls the hook after commands, too; `content` is the text of the hook file. */
  readonly comparesAfter: (settings: Json, content: string) => boolean
  /** The input of the assistant before it writes `file` in `folder`. */
  readonly proofInput: (file: string, folder: string) => Json
  /** The remaining manual step of the user. */
  readonly note?: string
}

/** Every command that calls the hook contains this text. */
export const hookMark = '.tdd/hook.cjs'

/** Every file of this tool ends with this text. */
export const ownMark = 'written by tutti-tdd init'

export const secondsToAnswer = 5

/**
 * The command after a tool. It prefers the copy of the tool in the folder of the user, which runs when the tool call removed
 * `.tdd` or the package; without quotes or signs that `sh`, `cmd` and PowerShell read differently.
 */
export function commandAfter(hook: string, agent: string): string {
  const script = [
    `const state=process.env.XDG_STATE_HOME||require('os').homedir()+'/.local/state'`,
    `const copy=state+'/tutti-tdd/hook.cjs'`,
    `require(require('fs').existsSync(copy)?copy:require('path').resolve(process.argv[1]))`,
  ].join(';')
  return `node -e "${script}" -- ${hook} --agent ${agent}`
}

/** Whether every event has a command of this tool. */
export function callsAfter(settings: Json, events: readonly string[]): boolean {
  return events.every((event) => commandIn(settings, event) !== undefined)
}

/** A Markdown command file with front matter. */
export function markdownCommand(path: string, head: Readonly<Record<string, string>>, body: string): OwnFile {
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const top = fields.length === 0 ? '' : `---\n${fields.join('\n')}\n---\n\n`
  return { path, content: `${top}${body}\n\n<!-- ${ownMark} -->\n` }
}

/** The first command of this tool among the hooks of an event, in the formats of the assistants. */
export function commandIn(settings: Json, event: string): string | undefined {
  const hooks = settings['hooks']
  const list = typeof hooks === 'object' && hooks !== null ? (hooks as Json)[event] : undefined
  return commandsIn(list).find((command) => command.includes(hookMark))
}

function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'command' || name === 'bash') && typeof inner === 'string' ? [inner] : commandsIn(inner),
  )
}

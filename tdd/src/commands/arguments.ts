import { parseArgs } from 'node:util'
import { CommandFailure } from './surroundings.ts'

const commandNames = [
  'start',
  'off',
  'on',
  'stop',
  'red',
  'green',
  'refactor',
  'status',
  'validate',
  'run',
  'init',
  'doctor',
  'uninstall',
] as const

type CommandName = (typeof commandNames)[number] | 'help' | 'version'

/** A parsed command line. */
export interface Arguments {
  readonly command: CommandName
  /** The words after the command: the feature. */
  readonly words: readonly string[]
  /** The arguments after `--`. */
  readonly extra: readonly string[]
  readonly flags: ReadonlySet<string>
  readonly lists: Readonly<Record<'agent' | 'report', readonly string[]>>
  readonly folder: string | undefined
}

const flagsOf: Readonly<Record<CommandName, readonly string[]>> = {
  start: [],
  off: [],
  on: [],
  stop: [],
  red: [],
  green: [],
  refactor: [],
  status: ['json', 'team'],
  validate: ['strict', 'pre-commit', 'json'],
  run: [],
  init: ['no-pre-commit'],
  doctor: [],
  uninstall: ['keep-state'],
  help: [],
  version: [],
}

const takesWords: ReadonlySet<CommandName> = new Set(['red', 'green', 'refactor'])

/** Parses a command line; an error lists the valid values. */
export function parseArguments(args: readonly string[]): Arguments {
  const [first = 'help', ...rest] = args
  const command = commandOf(first)
  const end = rest.indexOf('--')
  const own = end < 0 ? rest : rest.slice(0, end)
  const { values, positionals } = parse(command, own)
  if (values.help === true) return { ...empty, command: 'help', words: [command] }
  const words = positionals
  if (words.length > 0 && !takesWords.has(command) && command !== 'help')
    throw new CommandFailure(`${command} takes no words: ${words.join(' ')}. Run tutti-tdd help.`)
  return {
    command,
    words,
    extra: end < 0 ? [] : rest.slice(end + 1),
    flags: new Set(flagsOf[command].filter((name) => values[name] === true)),
    lists: { agent: listOf(values.agent), report: listOf(values.report) },
    folder: typeof values.package === 'string' ? values.package : undefined,
  }
}

const empty: Omit<Arguments, 'command' | 'words'> = {
  extra: [],
  flags: new Set(),
  lists: { agent: [], report: [] },
  folder: undefined,
}

function commandOf(name: string): CommandName {
  if (name === '--help' || name === '-h' || name === 'help') return 'help'
  if (name === '--version' || name === '-v' || name === 'version') return 'version'
  const found = commandNames.find((command) => command === name)
  if (found === undefined)
    throw new CommandFailure(`No command ${name}. Run tutti-tdd help to see what there is.`)
  return found
}

function parse(command: CommandName, args: string[]) {
  const options = {
    help: { type: 'boolean' as const, short: 'h' },
    package: { type: 'string' as const, short: 'p' },
    ...(command === 'init' ? { agent: { type: 'string' as const, multiple: true as const } } : {}),
    ...(command === 'run' ? { report: { type: 'string' as const, multiple: true as const } } : {}),
    ...Object.fromEntries(flagsOf[command].map((name) => [name, { type: 'boolean' as const }])),
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: values as Record<string, string | boolean | string[] | undefined>, positionals }
  } catch (error) {
    throw new CommandFailure(
      `${(error as Error).message.split('. ')[0]?.replace(/\.$/, '')}. Run tutti-tdd help.`,
    )
  }
}

/** Reads a list option: `--agent a --agent b` and `--agent a,b` are equal. */
function listOf(value: string | boolean | string[] | undefined): string[] {
  return [value ?? []]
    .flat()
    .flatMap((item) => String(item).split(','))
    .filter((item) => item !== '')
}

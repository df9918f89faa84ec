import { UserError } from '#kernel/errors'

/** Marks a setting that administrators can change at run time, in a section of the settings page. */
export interface Editable {
  readonly section: 'models' | 'tiers' | 'notifications' | 'status' | 'retention' | 'tours'
  readonly label: string
}

/** One environment variable: its parser, its default, and a line for the reference page. */
export interface Setting<Value> {
  readonly variable: string
  readonly about: string
  readonly kind: string
  readonly secret: boolean
  readonly defaultText: string | undefined
  readonly fallback: Value
  /** Returns the value, or throws an Error whose message completes the sentence "VARIABLE …". */
  readonly parse: (text: string) => Value
  /** Absent for settings that only the environment sets. */
  readonly editable?: Editable
  /** The smallest and the largest value, as texts. */
  readonly bounds?: { readonly min: string; readonly max: string }
  readonly choices?: readonly string[]
}

export type SettingsGroup = Readonly<Record<string, Setting<unknown>>>

/** The values of a group of settings. */
export type SettingsOf<Group extends SettingsGroup> = {
  readonly [Name in keyof Group]: Group[Name] extends Setting<infer Value> ? Value : never
}

interface Described {
  readonly about: string
  readonly editable?: Editable
}

type WithFallback<Value> = Described & ({ readonly default: Value } | { readonly optional: true })

/** The value of a setting: optional ones may be undefined. */
type Read<Value, Options> = Options extends { optional: true } ? Value | undefined : Value

/** Keeps the exact types of a settings group. Does not throw. */
export function defineSettings<const Group extends SettingsGroup>(group: Group): Group {
  return group
}

function build<Value, Options extends WithFallback<Value>>(
  variable: string,
  options: Options,
  kind: string,
  parse: (text: string) => Value,
  secret = false,
): Setting<Read<Value, Options>> {
  const fallback = 'default' in options ? options.default : undefined
  return {
    variable,
    about: options.about,
    kind,
    secret,
    defaultText: fallback === undefined ? undefined : showDefault(fallback),
    fallback: fallback as Read<Value, Options>,
    parse,
    ...(options.editable !== undefined && { editable: options.editable }),
  }
}

function showDefault(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

function parseInteger(text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text.trim()) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max}, not "${text}"`)
  }
  return value
}

interface Bounds {
  readonly min?: number
  readonly max?: number
}

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The maximum of timers and PostgreSQL, in whole days. A timer with a longer delay would fire at once. */
const maxTimerMs = 24 * 86_400_000

function parseDuration(text: string, min: number, max: number): number {
  const match = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text.trim())
  const unit = durationUnits[match?.[2] ?? 'ms']
  if (!match || unit === undefined) {
    throw new Error(`must be a duration such as 500ms, 30s, 5m or 2h, not "${text}"`)
  }
  const milliseconds = Number(match[1]) * unit
  if (milliseconds < min || milliseconds > max) {
    throw new Error(`must be from ${showDuration(min)} to ${showDuration(max)}, not "${text}"`)
  }
  return milliseconds
}

/** Writes a duration with the largest unit that fits it exactly. */
function showDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0ms'
  const units = Object.entries(durationUnits).toReversed()
  const [unit, length] = units.find(([, candidate]) => milliseconds % candidate === 0) ?? ['ms', 1]
  return `${milliseconds / length}${unit}`
}

function parseFlag(text: string): boolean {
  const value = text.trim().toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  if (['false', '0', 'no', 'off'].includes(value)) return false
  throw new Error(`must be true or false, not "${text}"`)
}

function parseUrl(text: string, protocols: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocols.includes(url.protocol)) {
    throw new Error(`must be an address starting with ${protocols.map((it) => `${it}//`).join(' or ')}`)
  }
  return text
}

/**
 * A setting whose value, also a default one, is converted further, such as a list whose entries must be addresses. Throws the error of
 * `read` for an invalid default.
 */
export function refineSetting<Raw, Value>(base: Setting<Raw>, read: (raw: Raw) => Value): Setting<Value> {
  return { ...base, fallback: read(base.fallback), parse: (text) => read(base.parse(text)) }
}

/** Builders for the environment variables of a module. */
export const setting = {
  text<const Options extends WithFallback<string>>(variable: string, options: Options) {
    return build<string, Options>(variable, options, 'text', (text) => text)
  },
  /** A text that is never printed, neither in errors nor in `doctor` nor in logs. */
  secretText<const Options extends WithFallback<string>>(variable: string, options: Options) {
    return build<string, Options>(variable, options, 'secret', (text) => text, true)
  },
  integer<const Options extends WithFallback<number> & Bounds>(variable: string, options: Options) {
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = options
    const built = build<number, Options>(variable, options, 'integer', (text) => parseInteger(text, min, max))
    return { ...built, bounds: { min: String(min), max: String(max) } }
  },
  /** With 0 the system chooses a free port. */
  port<const Options extends WithFallback<number>>(variable: string, options: Options) {
    return build<number, Options>(variable, options, 'port', (text) => parseInteger(text, 0, 65_535))
  },
  flag<const Options extends WithFallback<boolean>>(variable: string, options: Options) {
    return build<boolean, Options>(variable, options, 'true or false', parseFlag)
  },
  /** Default maximum: the longest delay of a timer. */
  durationMs<const Options extends WithFallback<number> & Bounds>(variable: string, options: Options) {
    const { min = 0, max = maxTimerMs } = options
    const built = {
      ...build<number, Options>(variable, options, 'duration', (text) => parseDuration(text, min, max)),
      bounds: { min: showDuration(min), max: showDuration(max) },
    }
    return 'default' in options ? { ...built, defaultText: showDuration(options.default) } : built
  },
  /** Comma-separated; an empty text is an empty list. */
  list<const Options extends WithFallback<readonly string[]>>(variable: string, options: Options) {
    return build<readonly string[], Options>(variable, options, 'list', (text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
  },
  choice<const Choice extends string, const Options extends WithFallback<Choice>>(
    variable: string,
    choices: readonly Choice[],
    options: Options,
  ) {
    const built = build<Choice, Options>(variable, options, choices.join(', '), (text) => {
      const found = choices.find((choice) => choice === text.trim())
      if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${text}"`)
      return found
    })
    return { ...built, choices }
  },
  url<const Options extends WithFallback<string>>(
    variable: string,
    protocols: readonly string[],
    options: Options,
  ) {
    return build<string, Options>(variable, options, 'address', (text) => parseUrl(text, protocols))
  },
  /** An address that may contain a password. */
  secretUrl<const Options extends WithFallback<string>>(
    variable: string,
    protocols: readonly string[],
    options: Options,
  ) {
    return build<string, Options>(variable, options, 'address', (text) => parseUrl(text, protocols), true)
  },
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a group of settings from the environment. Throws a `UserError` with one line per invalid variable. */
export function readSettings<Group extends SettingsGroup>(
  group: Group,
  environment: Environment,
): SettingsOf<Group> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, { variable, kind, fallback, parse }] of Object.entries(group)) {
    const text = environment[variable]
    // Compose files and shells set an empty variable for "not set"; only a list can be empty on purpose.
    if (text === undefined || (text === '' && kind !== 'list')) {
      values[name] = fallback
      continue
    }
    try {
      values[name] = parse(text)
    } catch (error) {
      problems.push(`${variable} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  return Object.freeze(values) as SettingsOf<Group>
}

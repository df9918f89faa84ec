import picomatch from 'picomatch'
import { parseDocument } from 'yaml'
import { type FileClass, fileClasses } from '../classify/file-class.ts'
import { configFile } from '../project/locate.ts'
import { type Config, defaultConfig, type LoadedConfig, levels } from './config.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parses `tdd.config.yaml`. Each invalid value is reported in one line and counts as absent. */
export function parseConfig(text: string): LoadedConfig {
  const document = parseDocument(text)
  const [mistake] = document.errors
  if (mistake !== undefined) {
    const line = mistake.linePos?.[0].line
    const where = line === undefined ? '' : ` line ${line}`
    return unreadable(
      `${configFile}${where}: ${mistake.message.split('\n')[0]?.replace(/ at line.*$/, '') ?? ''}`,
    )
  }
  const value: unknown = document.toJS() ?? {}
  if (!isFields(value))
    return unreadable(`${configFile}: expected fields such as \`tdd:\`, found ${nameOf(value)}`)
  const reader = createReader()
  const config = readConfig(value, reader)
  return { config, problems: reader.problems }
}

function unreadable(problem: string): LoadedConfig {
  return { config: defaultConfig, problems: [problem], unreadable: true }
}

function readConfig(value: Fields, reader: Reader): Config {
  reader.knowOnly(value, '', ['project', 'testing', 'tdd', 'team', 'files'])
  const [project, testing, tdd, team] = (['project', 'testing', 'tdd', 'team'] as const).map((name) =>
    reader.section(value, name),
  ) as [Fields, Fields, Fields, Fields]
  reader.knowOnly(project, 'project.', Object.keys(defaultConfig.project))
  reader.knowOnly(testing, 'testing.', Object.keys(defaultConfig.testing))
  reader.knowOnly(tdd, 'tdd.', Object.keys(defaultConfig.tdd))
  reader.knowOnly(team, 'team.', Object.keys(defaultConfig.team))
  const defaults = defaultConfig
  return {
    project: {
      type: reader.text(project, 'project.type'),
      language: reader.text(project, 'project.language'),
      framework: reader.text(project, 'project.framework'),
    },
    testing: {
      coverageThreshold:
        reader.integer(testing, 'testing.coverageThreshold', 0, 100) ?? defaults.testing.coverageThreshold,
      timeout: reader.integer(testing, 'testing.timeout', 1, 86_400_000) ?? defaults.testing.timeout,
      command: reader.text(testing, 'testing.command'),
      reports: reader.texts(testing, 'testing.reports'),
      lintCommand: reader.text(testing, 'testing.lintCommand'),
    },
    tdd: {
      enforceWorkflow: reader.flag(tdd, 'tdd.enforceWorkflow') ?? defaults.tdd.enforceWorkflow,
      requireTestFirst: reader.flag(tdd, 'tdd.requireTestFirst') ?? defaults.tdd.requireTestFirst,
      requireProvenRed: reader.flag(tdd, 'tdd.requireProvenRed'),
    },
    team: {
      enforcementLevel: reader.choice(team, 'team.enforcementLevel', levels),
      sharedMetrics: reader.flag(team, 'team.sharedMetrics') ?? defaults.team.sharedMetrics,
      notifications: reader.flag(team, 'team.notifications') ?? defaults.team.notifications,
    },
    files: readGlobs(value, reader),
  }
}

/** The user's globs in the order of the classes. */
function readGlobs(value: Fields, reader: Reader): Config['files'] {
  const files = reader.section(value, 'files')
  reader.knowOnly(files, 'files.', fileClasses)
  return fileClasses.flatMap((name: FileClass) =>
    reader.texts(files, `files.${name}`).flatMap((glob) => {
      if (glob.startsWith('!')) {
        reader.complain(`files.${name}`, `\`${glob}\`: name what belongs to the class, not what does not`)
        return []
      }
      return [{ class: name, source: picomatch.makeRe(glob.replace(/^\.\//, ''), { dot: true }).source }]
    }),
  )
}

type Reader = ReturnType<typeof createReader>

/** Reads fields of parsed YAML and collects their errors. */
function createReader() {
  const problems: string[] = []
  const complain = (field: string, what: string): void => {
    problems.push(`${configFile}: ${field}: ${what}`)
  }
  const take = <Value>(
    from: Fields,
    field: string,
    is: (value: unknown) => value is Value,
    expected: string,
  ) => {
    const value = from[field.slice(field.indexOf('.') + 1)]
    if (value === undefined || value === null) return undefined
    if (is(value)) return value
    complain(field, `expected ${expected}, found ${nameOf(value)}`)
    return undefined
  }
  return {
    problems: problems as readonly string[],
    complain,
    knowOnly(fields: Fields, prefix: string, known: readonly string[]): void {
      for (const name of Object.keys(fields))
        if (!known.includes(name)) complain(`${prefix}${name}`, `unknown; known are ${known.join(', ')}`)
    },
    section: (from: Fields, name: string): Fields => take(from, name, isFields, 'fields below it') ?? {},
    text: (from: Fields, field: string) => take(from, field, isText, 'text')?.trim(),
    texts: (from: Fields, field: string): readonly string[] =>
      [take(from, field, isTexts, 'a list of texts') ?? []].flat(),
    flag: (from: Fields, field: string) =>
      take(from, field, (value): value is boolean => typeof value === 'boolean', 'true or false'),
    integer: (from: Fields, field: string, min: number, max: number) =>
      take(
        from,
        field,
        (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
        `a whole number from ${min} to ${max}`,
      ),
    choice: <Choice extends string>(from: Fields, field: string, choices: readonly Choice[]) =>
      take(
        from,
        field,
        (value): value is Choice => choices.some((choice) => choice === value),
        `one of ${choices.join(', ')}`,
      ),
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: unknown): value is string | string[] {
  return isText(value) || (Array.isArray(value) && value.every(isText))
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : isFields(value) ? 'fields' : JSON.stringify(value)
}

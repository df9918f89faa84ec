import { UserError } from '#kernel/errors'
import type { SettingsGroup, SettingsOf } from './settings.ts'

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a group of settings from the environment. Throws a `UserError` with one line per invalid variable. */
export function readSettings<Group extends SettingsGroup>(
  group: Group,
  environment: Environment,
): SettingsOf<Group> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, setting] of Object.entries(group)) {
    const text = environment[setting.variable]
    // Compose files and shells set an empty variable for "not set"; only a list can be empty on purpose.
    if (text === undefined || (text === '' && setting.kind !== 'list')) {
      values[name] = setting.fallback
      continue
    }
    try {
      values[name] = setting.parse(text)
    } catch (error) {
      problems.push(`${setting.variable} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  return Object.freeze(values) as SettingsOf<Group>
}

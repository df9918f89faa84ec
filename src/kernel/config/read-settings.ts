import { UserMistake } from '#kernel/errors'
import type { SettingsGroup, SettingsOf } from './settings.ts'

/** The environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a group from the environment once. A wrong value is one line that names its variable; all of them are told. */
export function readSettings<Group extends SettingsGroup>(
  group: Group,
  environment: Environment,
): SettingsOf<Group> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, setting] of Object.entries(group)) {
    const text = environment[setting.variable]
    // An empty variable is how compose files and shells say "not set"; only a list can be meant empty.
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
  if (problems.length > 0) throw new UserMistake(problems.join('\n'))
  return Object.freeze(values) as SettingsOf<Group>
}

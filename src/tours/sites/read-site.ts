import type { Problem } from '#kernel/errors'
import { checkLabel } from '../content/check-label.ts'
import { noProblems, throwProblems } from '../content/problems.ts'
import { type PlayerSettings, readPlayerSettings } from './player-settings.ts'
import { readOrigin } from './read-origin.ts'
import { type Environment, siteBounds } from './site.ts'

interface SiteInput {
  readonly label?: string | undefined
  readonly environments?: readonly Environment[] | undefined
  readonly player?: PlayerSettings | undefined
}

/** Validates the fields of a site. Throws all problems at once. */
export function readSite({ label, environments, player }: SiteInput): {
  label: string | undefined
  environments: Environment[] | undefined
  player: PlayerSettings | undefined
} {
  const found = noProblems()
  if (label !== undefined) {
    const problem = checkLabel(label, 'label')
    if (problem !== undefined) found.invalid.push(problem)
  }
  const read = environments?.map((environment, index) => readEnvironment(environment, index, found.invalid))
  for (const [index, { name, origin }] of (read ?? []).entries()) {
    const others = read?.slice(0, index) ?? []
    for (const field of ['name', 'origin'] as const) {
      const value = field === 'name' ? name : origin
      if (!others.some((other) => other[field] === value)) continue
      const path = `environments[${index}].${field}`
      found.unprocessable.push({ path, message: `repeats "${value}"`, code: 'duplicate' })
    }
  }
  const settings = player === undefined ? undefined : readPlayerSettings(player, found)
  throwProblems(found)
  return { label: label?.trim(), environments: read, player: settings }
}

function readEnvironment(given: Environment, index: number, problems: Problem[]): Environment {
  const at = (field: string) => `environments[${index}].${field}`
  const name = given.name.trim()
  const problem = checkLabel(name, at('name'))
  if (problem !== undefined) problems.push(problem)
  else if (Array.from(name).length > siteBounds.environmentName) {
    const message = `must have at most ${siteBounds.environmentName} characters`
    problems.push({ path: at('name'), message, code: 'maxLength' })
  }
  const origin = readOrigin(given.origin)
  if (origin === undefined) {
    const message =
      'must be scheme, host and port alone, such as https://shop.example or http://localhost:8080'
    problems.push({ path: at('origin'), message, code: 'origin' })
  }
  return { name, origin: origin ?? '' }
}

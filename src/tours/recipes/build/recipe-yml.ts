import type { RecipeName } from '../recipe-tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'

/**
 * What the recipe does: it switches the tour module on, puts the tours in (strict would refuse a site that has one of them
 * already, changed), and lets everybody who signs in see them.
 */
export function writeRecipeYml({ name, description }: RecipeName): string {
  return writeYaml(
    new Map<string, unknown>([
      ['name', name],
      ['description', description],
      ['type', 'Tour'],
      ['install', ['tour']],
      [
        'config',
        {
          strict: false,
          actions: { 'user.role.authenticated': { grantPermissions: ['access tour'] } },
        },
      ],
    ]),
  )
}

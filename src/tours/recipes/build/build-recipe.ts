import type { RecipeFile, RecipeName, RecipeTour } from '../recipe-tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'
import { routeNamesOf, tourFileOf, writeTourYml } from './tour-yml.ts'
import { tuttiFile, writeTuttiJson } from './tutti-json.ts'

/** The files of a recipe that puts tours into a site, in the order they are packed. The same tours give the same files. */
export function buildRecipe(name: RecipeName, tours: readonly RecipeTour[]): RecipeFile[] {
  const sorted = [...tours].sort((one, other) => (one.id < other.id ? -1 : 1))
  const written = sorted.map((tour) => ({ tour, yaml: writeTourYml(tour) }))
  return [
    fileOf('README.md', writeReadMe(name, sorted)),
    fileOf('composer.json', writeComposerJson(name)),
    ...written.map(({ tour, yaml }) => fileOf(tourFileOf(tour.id), yaml)),
    fileOf('recipe.yml', writeRecipeYml(name)),
    fileOf(tuttiFile, writeTuttiJson(written)),
  ]
}

function fileOf(path: string, content: string): RecipeFile {
  return { path, content: new TextEncoder().encode(content) }
}

/** Composer puts a package of this type into the folder of recipes. Older releases refuse `config.strict`. */
function writeComposerJson({ machineName, description }: RecipeName): string {
  const content = {
    name: `tutti-tours/${machineName}`,
    description,
    type: 'drupal-recipe',
    require: { 'drupal/core': '^10.4 || ^11.1', 'drupal/tour': '^2.0' },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * What the recipe does: it switches the tour module on, puts the tours in (strict would refuse a site that has one of them
 * already, changed), and lets everybody who signs in see them.
 */
function writeRecipeYml({ name, description }: RecipeName): string {
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

/** How to install the recipe, and what is in it. */
function writeReadMe({ name, machineName, description }: RecipeName, tours: readonly RecipeTour[]): string {
  const lines = [
    `# ${plain(name)}`,
    '',
    plain(description),
    '',
    '## Install',
    '',
    'Needs Drupal 10.4 or 11.1, or later.',
    '',
    '1. In the project: `composer require drupal/tour:^2.0`',
    `2. Unpack this folder to \`recipes/${machineName}\``,
    `3. From the web root: \`php core/scripts/drupal recipe ../recipes/${machineName}\``,
    '4. `drush cache:rebuild`, or Clear all caches on the Performance page',
    '',
    'Everybody who signs in may then see the tours. Applying the recipe again changes nothing that is there.',
    '',
    ...tours.flatMap((tour) => [`## ${plain(tour.label)}`, '', ...describeTour(tour), '']),
    '`tutti.tour.json` is for importing the tours into Tutti again; the site does not read it.',
  ]
  return `${lines.join('\n')}\n`
}

function describeTour(tour: RecipeTour): string[] {
  const routes = routeNamesOf(tour)
  return [
    routes.length === 0
      ? 'It has no page yet.'
      : `Shows on ${routes.map((route) => plain(route)).join(', ')}.`,
    ...(tour.status ? [] : ['', 'It is a draft: switch it on at Configuration › User interface › Tours.']),
    ...(tour.tips.length === 0
      ? []
      : ['', ...tour.tips.map(({ label }, index) => `${index + 1}. ${plain(label)}`)]),
  ]
}

/** Text that Markdown and HTML leave as it is. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]()#+!|~<>&-]/g, (sign) => `\\${sign}`)
}

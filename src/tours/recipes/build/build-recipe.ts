import type { RecipeFile, RecipeName, RecipeTour } from '../recipe-tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'
import { routeNamesOf, tourFileOf, writeTourYml } from './tour-yml.ts'
import { tuttiFile, writeTuttiJson } from './tutti-json.ts'

/** Builds the files of a Drupal recipe that installs tours, in the order they are packed. The output is deterministic. */
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

/** Composer installs a package of this type into the recipes folder. Older Drupal releases refuse `config.strict`. */
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
 * The recipe installs the tour module and the tours, and grants signed-in users access to them. `strict` is off, because
 * it would refuse a site that has a changed copy of one of the tours.
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

/** The README of the recipe: how to install it, and its tours. */
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
    'All signed-in users can then see the tours. Applying the recipe again does not change existing tours.',
    '',
    ...tours.flatMap((tour) => [`## ${plain(tour.label)}`, '', ...describeTour(tour), '']),
    '`tutti.tour.json` is used to import the tours into Tutti again; Drupal does not read it.',
  ]
  return `${lines.join('\n')}\n`
}

function describeTour(tour: RecipeTour): string[] {
  const routes = routeNamesOf(tour)
  return [
    routes.length === 0
      ? 'The tour has no page yet.'
      : `Shows on ${routes.map((route) => plain(route)).join(', ')}.`,
    ...(tour.status ? [] : ['', 'The tour is a draft. Enable it at Configuration › User interface › Tours.']),
    ...(tour.tips.length === 0
      ? []
      : ['', ...tour.tips.map(({ label }, index) => `${index + 1}. ${plain(label)}`)]),
  ]
}

/** Escapes text for Markdown and HTML. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]()#+!|~<>&-]/g, (sign) => `\\${sign}`)
}

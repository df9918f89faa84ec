import { toSiteLabel, toSiteText } from '../drupal/characters.ts'
import type { RecipeFile, RecipeName, RecipeTour } from '../recipe-tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'
import { type PlannedTour, planSiteTours, type SiteTour } from './plan-site-tours.ts'
import { tourFileOf, translationFileOf, writeTourYml, writeTranslationYml } from './tour-yml.ts'
import { tuttiFile, writeTuttiJson } from './tutti-json.ts'

/** Builds the files of a Drupal recipe that installs tours, in the order they are packed. The output is deterministic. */
export function buildRecipe(name: RecipeName, tours: readonly RecipeTour[]): RecipeFile[] {
  const planned = planSiteTours([...tours].sort((one, other) => (one.id < other.id ? -1 : 1)))
  const siteTours = planned
    .flatMap((plan) => plan.siteTours)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return [
    fileOf('README.md', writeReadMe(name, planned)),
    fileOf('composer.json', writeComposerJson(name)),
    ...siteTours.map((tour) => fileOf(tourFileOf(tour.id), writeTourYml(tour))),
    ...siteTours.flatMap(({ id, translations }) =>
      translations.map((translation) =>
        fileOf(translationFileOf(id, translation.langcode), writeTranslationYml(translation)),
      ),
    ),
    fileOf('recipe.yml', writeRecipeYml(name)),
    fileOf(tuttiFile, writeTuttiJson(planned)),
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
      ['name', toSiteLabel(name)],
      ['description', toSiteText(description)],
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

/** The README of the recipe: how to install and update it, and its tours. */
function writeReadMe(
  { name, machineName, description }: RecipeName,
  planned: readonly PlannedTour[],
): string {
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
    'All signed-in users can then see the tours.',
    '',
    '## Update',
    '',
    'A site that has a tour of this recipe keeps it as it is when the recipe is applied again. To update it:',
    '',
    '1. Replace the folder by the new one',
    '2. `drush pm:install config`, unless Configuration Manager is enabled',
    `3. From the web root: \`drush config:import --partial --source=../recipes/${machineName}/config\``,
    '4. `drush cache:rebuild`',
    '',
    'This adds and updates the tours of the recipe and changes nothing else. Without Drush: delete the tour at Configuration › User interface › Tours, and apply the recipe again.',
    '',
    ...describeTranslations(machineName, planned),
    ...planned.flatMap((plan) => [`## ${plain(plan.tour.label)}`, '', ...describeTour(plan), '']),
    '`tutti.tour.json` is used to import the tours into Tutti again; Drupal does not read it.',
  ]
  return `${lines.join('\n')}\n`
}

/** Neither a recipe nor a partial import of Drush reads the configuration of a language; a full import does. */
function describeTranslations(machineName: string, planned: readonly PlannedTour[]): string[] {
  const languages = planned.flatMap(({ tour }) => tour.translations.map(({ langcode }) => langcode))
  if (languages.length === 0) return []
  return [
    '## Translations',
    '',
    'Drupal installs no translations with a recipe, and `drush config:import --partial` leaves them out. To add them to a site that has the tours:',
    '',
    `1. Enable the module Language, and add the languages that the site lacks: ${[...new Set(languages)].sort().join(', ')}`,
    '2. `drush config:export`',
    `3. Copy the folder \`recipes/${machineName}/config/language\` into the sync directory of the site (\`config_sync_directory\` in \`settings.php\`)`,
    '4. `drush config:import`, which lists the translations as new',
    '',
  ]
}

function describeTour({ tour, siteTours }: PlannedTour): string[] {
  const isSplit = siteTours.length > 1
  return [
    ...(isSplit
      ? ['Drupal shows all steps of a tour on each of its pages, so there is one tour per page.', '']
      : []),
    ...siteTours.flatMap((siteTour) => [
      ...(isSplit ? [`### \`${siteTour.id}\``, ''] : []),
      ...describeSiteTour(siteTour),
      ...(isSplit ? [''] : []),
    ]),
    ...(tour.status
      ? []
      : [
          ...(isSplit ? [] : ['']),
          'The tour is a draft. Enable it at Configuration › User interface › Tours.',
        ]),
  ]
}

function describeSiteTour({ routes, tips }: SiteTour): string[] {
  const names = [...new Set(routes.map(({ route_name }) => plain(route_name)))]
  return [
    names.length === 0 ? 'The tour has no page yet.' : `Shows on ${names.join(', ')}.`,
    ...(tips.length === 0 ? [] : ['', ...tips.map(({ label }, index) => `${index + 1}. ${plain(label)}`)]),
  ]
}

/** Escapes text for Markdown and HTML. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]()#+!|~<>&-]/g, (sign) => `\\${sign}`)
}

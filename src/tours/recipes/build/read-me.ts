import type { RecipeName, RecipeTour } from '../recipe-tour.ts'
import { routeNamesOf } from './tour-yml.ts'

/** How to install the recipe, and what is in it. */
export function writeReadMe(
  { name, machineName, description }: RecipeName,
  tours: readonly RecipeTour[],
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

import { type Command, Option } from 'commander'
import { pointToHelp } from './command-options.ts'
import type { PlatformOptions } from './find-platform.ts'
import { addPlatformOptions } from './remote/remote-command.ts'
import type { ExportOptions } from './tours.ts'

/** `tutti tours …` */
export function addToursCommands(program: Command): void {
  const tours = program
    .command('tours')
    .description('Tours: export them as recipes, import and check recipes')

  const exported = tours
    .command('export')
    .description('Write a tour of a running platform to a file, as a recipe')
    .argument('<id>', 'the id of the tour')
    .addOption(
      new Option('--format <format>', 'how it is packed').choices(['zip', 'tar.gz', 'json']).default('zip'),
    )
    .option(
      '--output <file>',
      'the file (default: named after the recipe, and never overwritten); - is standard output',
    )
    .addOption(
      new Option('--action <action>', 'whether a recipe of the platform is made or updated as well')
        .choices(['export_only', 'create_new', 'update_existing'])
        .default('export_only'),
    )
    .option('--name <name>', 'what the recipe is called (default: the label of the tour)')
    .addHelpText(
      'after',
      `
The same tour gives the same bytes.

Examples:
  npx tutti tours export welcome
  npx tutti tours export welcome --format tar.gz --output - | tar -xz -C web/recipes`,
    )
    .action(async (id: string, options: ExportOptions) => {
      const { exportTour } = await import('./tours.ts')
      await exportTour(id, options)
    })

  const imported = tours
    .command('import')
    .description('Make a tour of a recipe on a running platform, as a draft')
    .argument('<file>', 'a folder, zip, tar.gz or JSON file; - reads standard input')
    .option('--id <id>', 'the id of the new tour (default: as in the recipe, with a number when it is taken)')
    .action(async (file: string, options: PlatformOptions & { readonly id?: string }) => {
      const { importRecipe } = await import('./tours-recipe.ts')
      await importRecipe(file, options)
    })

  tours
    .command('validate')
    .description('Check a recipe, and say what a site would refuse or break on, and where')
    .argument('<file>', 'a folder, zip, tar.gz or JSON file; - reads standard input')
    .option('--strict', 'take warnings for errors')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Needs no platform. Ends with 0 when the recipe has no error, else with 1.

Examples:
  npx tutti tours validate recipes/welcome
  npx tutti tours validate welcome.zip --strict`,
    )
    .action(async (file: string, options: { readonly strict?: true; readonly json?: true }) => {
      const { validateRecipe } = await import('./tours-recipe.ts')
      process.exitCode = (await validateRecipe(file, options)) ? 0 : 1
    })

  for (const command of [exported, imported]) addPlatformOptions(command)
  pointToHelp(tours)
}

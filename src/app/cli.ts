import { Command, CommanderError, Option } from 'commander'
import { UserMistake } from '#kernel/errors'
import { version } from './version.ts'

/** The command line. Each command loads only what it needs, so that `--help` is instant. */
const program = new Command('tutti')
  .description('Tutti: a self-hosted AI platform.')
  .version(version, '-v, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand(false)
  .showSuggestionAfterError()
  .showHelpAfterError('Run tutti --help to see what there is.')
  .exitOverride()
  .addHelpText('after', '\nSettings come from the environment; docs/reference/configuration.md lists them.')

program
  .command('serve')
  .description('run the platform: console, APIs, workers, cluster')
  .addOption(
    new Option('--role <role>', 'all; api: only answer requests; worker: only work')
      .choices(['all', 'api', 'worker'])
      .default('all'),
  )
  .action(async ({ role }: { role: 'all' | 'api' | 'worker' }) => {
    const { serve } = await import('./commands/serve.ts')
    await serve(role)
  })

program
  .command('cluster')
  .description('run the model cluster service alone')
  .action(async () => {
    const { serveCluster } = await import('./commands/cluster.ts')
    await serveCluster()
  })

program
  .command('migrate')
  .description('bring the database up to date, then end')
  .action(async () => {
    const { migrateDatabase } = await import('./commands/migrate.ts')
    await migrateDatabase()
  })

program
  .command('doctor')
  .description('check this installation and say what to do')
  .action(async () => {
    const { runDoctor } = await import('./commands/doctor.ts')
    process.exitCode = (await runDoctor()) ? 0 : 1
  })

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Mistakes are told in their own words; only what is our fault shows a stack, for the report it deserves. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof UserMistake) {
    for (const line of error.message.split('\n')) console.error(`tutti: ${line}`)
    return 1
  }
  console.error('tutti: something went wrong that should not have. Please report it with the lines below.')
  console.error(error)
  return 1
}

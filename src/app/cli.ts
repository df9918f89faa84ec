import { Command, CommanderError, Option } from 'commander'
import { UserError } from '#kernel/errors'
import { addKeyCommands, addUserCommands } from './commands/account-commands.ts'
import { addBackupCommands } from './commands/backup-commands.ts'
import { addExecutionCommands } from './commands/execution-commands.ts'
import { addFlowCommands } from './commands/flow-commands.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addAuthCommands } from './commands/remote/auth-commands.ts'
import { addConnectionsCommands } from './commands/remote/connections-commands.ts'
import { addHumanTasksCommands } from './commands/remote/human-tasks-commands.ts'
import { addRunCommand } from './commands/remote/run-commands.ts'
import { addRunsCommands } from './commands/remote/runs-commands.ts'
import { addSchedulesCommands } from './commands/remote/schedules-commands.ts'
import { addSecretsCommands } from './commands/remote/secrets-commands.ts'
import { addTriggersCommands } from './commands/remote/triggers-commands.ts'
import { addToursCommands } from './commands/tours-commands.ts'
import type { Role } from './settings.ts'
import { version } from './version.ts'

/** Each command loads its modules when it runs, so that `--help` is instant. */
const program = new Command('tutti')
  .description('Tutti: a self-hosted AI platform.')
  .version(version, '-v, --version', 'Print the version')
  .helpOption('-h, --help', 'Print this help')
  .helpCommand('help [command]', 'Print this help')
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tutti: ')) })
  .showSuggestionAfterError()
  .showHelpAfterError('Run npx tutti --help to see what there is.')
  .exitOverride()
  .addHelpText('after', '\nSettings come from the environment; docs/reference/configuration.md lists them.')

program
  .command('serve')
  .description('Run the platform: console, APIs, background work and model cluster (the default command)')
  .addOption(
    new Option('--role <role>', 'all of it, api (answers requests) or worker (background work)')
      .choices(['all', 'api', 'worker'])
      .default('all'),
  )
  .action(async ({ role }: { role: Role }) => {
    const { serve } = await import('./commands/serve.ts')
    await serve(role)
  })

program
  .command('cluster')
  .description('Run the model cluster service alone')
  .action(async () => {
    const { serveCluster } = await import('./commands/cluster.ts')
    await serveCluster()
  })

program
  .command('migrate')
  .description('Bring the database up to date, then end')
  .action(async () => {
    const { migrateDatabase } = await import('./commands/with-database.ts')
    await migrateDatabase()
  })

program
  .command('doctor')
  .description('Check this installation and say what to do')
  .action(async () => {
    const { runDoctor } = await import('./commands/doctor.ts')
    process.exitCode = (await runDoctor()) ? 0 : 1
  })

program
  .command('upgrade')
  .description('Say what an upgrade of the database to this version would do; changes nothing')
  .requiredOption('--check', 'required: an upgrade itself is the start of a new version')
  .option('--json', 'for scripts')
  .addHelpText(
    'after',
    `
Ends with 0 when there is nothing to do, 1 when this version cannot use the
database, 2 when migrations are pending, 3 when processes of another version run.`,
  )
  .action(async (options: { readonly json?: true }) => {
    const { checkUpgrade } = await import('./commands/upgrade.ts')
    process.exitCode = await checkUpgrade(options)
  })

addBackupCommands(program)
addAuthCommands(program)
addUserCommands(program)
addKeyCommands(program)
addFlowCommands(program)
addRunCommand(program)
addRunsCommands(program)
addHumanTasksCommands(program)
addSchedulesCommands(program)
addTriggersCommands(program)
addSecretsCommands(program)
addConnectionsCommands(program)
addExecutionCommands(program)
addMcpCommand(program)
addToursCommands(program)

for (const output of [process.stdout, process.stderr]) output.on('error', ignoreClosedPipe)
try {
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve'])
} catch (error) {
  process.exitCode = report(error)
}

/**
 * The reader of the output may close it early, as `head` does, and a terminal may be closed (EIO). A command then finishes without
 * output and keeps its exit code; a server keeps running.
 */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (!['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) throw error
}

/** Prints the message of a UserMistake. Any other error is a bug of the platform and is printed with its stack. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof UserError) {
    for (const line of error.message.split('\n')) console.error(`tutti: ${line}`)
    return 1
  }
  console.error('tutti: something went wrong that should not have. Please report it with the lines below.')
  console.error(error)
  return 1
}

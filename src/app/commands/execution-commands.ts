import { type Command, Option } from 'commander'
import { pointToHelp } from './command-options.ts'
import type { PlatformOptions } from './find-platform.ts'
import { addPlatformOptions } from './remote/remote-command.ts'

interface ShowOptions extends PlatformOptions {
  readonly json?: true
}

interface RecoverOptions extends PlatformOptions {
  readonly action: string
}

/** `tutti executions …` */
export function addExecutionCommands(program: Command): void {
  const executions = program
    .command('executions')
    .description('Older names of runs show --result and runs retry')

  const show = executions
    .command('show')
    .description('Print the result of an execution, or why it has none')
    .argument('<id>', 'the id of the execution')
    .option('--json', 'print everything about the execution as JSON, not the result alone')
    .addHelpText(
      'after',
      `
Ends with 0 when the execution completed, and with 1 when it failed, was
cancelled or has not ended yet.`,
    )
    .action(async (id: string, options: ShowOptions) => {
      const [{ connect }, { printExecution }] = await Promise.all([
        import('./remote/platform-api.ts'),
        import('./run/print-execution.ts'),
      ])
      process.exitCode = (await printExecution(await connect(options), readId(id), options)) ? 0 : 1
    })

  const recover = executions
    .command('recover')
    .description('Put a failed execution back into the queue; finished steps keep their results')
    .argument('<id>', 'the id of the execution')
    .addOption(
      new Option('--action <action>', 'the recovery action; a failed run lists those that apply')
        .choices(['restart_from_checkpoint', 'retry_with_different_provider', 'continue_without_failed_step'])
        .makeOptionMandatory(),
    )
    .action(async (id: string, { action, ...options }: RecoverOptions) => {
      const { connect } = await import('./remote/platform-api.ts')
      const api = await connect(options)
      await api.call(`/executions/${readId(id)}/recover`, { method: 'POST', body: { action } })
      console.log(`The execution ${id} is queued again. See it at ${api.url}/executions/${id}`)
      console.log(`Print its result: npx tutti executions show ${id}`)
    })

  for (const command of [show, recover]) addPlatformOptions(command)
  pointToHelp(executions)
}

/** Encoded: an id must not lead to another path of the API. */
function readId(id: string): string {
  return encodeURIComponent(id)
}

import { type Command, Option } from 'commander'
import { UserError } from '#kernel/errors'
import { pointToHelp } from './command-options.ts'
import type { PlatformOptions } from './find-platform.ts'
import type { RunFlowOptions } from './run/run-flow.ts'

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
    .description('Executions of flows: show one, recover one that failed')

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
        import('./run/platform-api.ts'),
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
      const { connect } = await import('./run/platform-api.ts')
      const api = await connect(options)
      await api.call(`/executions/${readId(id)}/recover`, { method: 'POST', body: { action } })
      console.log(`The execution ${id} is queued again. See it at ${api.url}/executions/${id}`)
      console.log(`Print its result: npx tutti executions show ${id}`)
    })

  for (const command of [show, recover]) {
    command
      .option(
        '--key <key>',
        'an API key (default: TUTTI_API_KEY, which no other user of the machine can see)',
      )
      .option('--url <url>', 'address of the platform (default: TUTTI_PUBLIC_URL, else this machine)')
  }
  pointToHelp(executions)
}

/** Encoded: an id must not lead to another path of the API. */
function readId(id: string): string {
  return encodeURIComponent(id)
}

const exitCodeNotRun = 2

/** `tutti run …` */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .description('Run a flow on a platform, and print what came out')
    .argument('<flow>', 'the id of the flow')
    .option('--input <text>', 'what it works on: a text, @FILE for what is in a file, - for standard input')
    .option('--context <json>', 'further context as a JSON object, or @FILE; may have {"content": …} too')
    .option(
      '--option <name=value>',
      'an option of the execution, such as ai_options.cost_limit=0.5; may be repeated',
      collect,
    )
    .option('--flow-version <number>', 'one of its versions (default: the current one)')
    .option('--follow', 'print progress and model output on standard error while it runs')
    .option('--json', 'print everything about the execution as JSON, not the result alone')
    .option('--key <key>', 'an API key (default: TUTTI_API_KEY, which no other user of the machine can see)')
    .option('--url <url>', 'where the platform is (default: TUTTI_PUBLIC_URL, else this machine)')
    .addHelpText(
      'after',
      `
Standard output has the result alone. Ctrl-C asks the platform to cancel.
Ends with 0 when the execution completed, with 1 when it failed or was
cancelled, and with 2 when it could not be run at all.

Examples:
  npx tutti run content_quality_review --input @article.md --follow
  git diff | npx tutti run summarise_and_translate --input - --context '{"metadata":{"language":"de"}}'
  npx tutti run review --input "A text." --option ai_options.cost_limit=0.10 --json | jq .execution_summary`,
    )
    .action(async (flow: string, options: RunFlowOptions) => {
      const { runFlow } = await import('./run/run-flow.ts')
      try {
        process.exitCode = (await runFlow(flow, options)) ? 0 : 1
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        for (const line of error.message.split('\n')) console.error(`tutti: ${line}`)
        process.exitCode = exitCodeNotRun
      }
    })
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

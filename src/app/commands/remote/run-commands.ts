import type { Command } from 'commander'
import { collect } from '../command-options.ts'
import type { RunFlowOptions } from '../run/run-flow.ts'
import { addRemoteOptions, remote } from './remote-command.ts'

/** `tutti run …` */
export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .description('Run a flow on a platform, and print its result')
    .argument('<flow>', 'the id of the flow')
    .option('--input <text>', 'the input: a text, @FILE for the content of a file, - for standard input')
    .option('--context <json>', 'further context as a JSON object, or @FILE; may have {"content": …} too')
    .option(
      '--option <name=value>',
      'an option of the execution, such as ai_options.cost_limit=0.5; may be repeated',
      collect,
    )
    .option('--flow-version <number>', 'one of its versions (default: the current one)')
    .option('--follow', 'print progress and model output on standard error while it runs')
    .option('--detach', 'print the id of the run and end; the run continues on the platform')
    .addHelpText(
      'after',
      `
Standard output has the result alone. While the run waits for a person, an event
or a time, standard error says for what and how to answer.

Ctrl-C cancels a run that works. A run that waits continues on the platform, and so
does any run when this command is ended by SIGTERM or when its terminal closes.

Ends with 0 when the run completed, with 1 when it failed or was
cancelled, with 2 when it could not be started at all, and with 130 when
the run continues without this command.

Examples:
  npx tutti run content_quality_review --input @article.md --follow
  git diff | npx tutti run summarise_and_translate --input - --context '{"metadata":{"language":"de"}}'
  npx tutti run review --input "A text." --option ai_options.cost_limit=0.10 --json | jq .execution_summary
  id=$(npx tutti run review --input @long.txt --detach) && npx tutti runs show $id --follow`,
    )
    .action(
      remote(async (flow: string, options: RunFlowOptions) => {
        const { runFlow } = await import('../run/run-flow.ts')
        return await runFlow(flow, options)
      }),
    )
  addRemoteOptions(run, 'print everything about the run as JSON, not the result alone')
}

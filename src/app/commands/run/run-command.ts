import type { Command } from 'commander'
import { UserError } from '#kernel/errors'
import type { RunFlowOptions } from './run-flow.ts'

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
    .option('--follow', 'tell on standard error how it goes, with what models say as they say it')
    .option('--json', 'print everything about the execution as JSON, not the result alone')
    .option('--key <key>', 'an API key (default: TUTTI_API_KEY, which nobody else on the machine can see)')
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
      const { runFlow } = await import('./run-flow.ts')
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

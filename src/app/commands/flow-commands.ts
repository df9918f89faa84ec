import type { Command } from 'commander'
import { pointToHelp } from './point-to-help.ts'

/** `tutti flows …` */
export function addFlowCommands(program: Command): void {
  const flows = program.command('flows').description('Flows: check a definition before it is saved')

  flows
    .command('validate')
    .description('Check a flow definition in a JSON file, and say all that is wrong with it')
    .argument('<file>', 'the file; - reads standard input')
    .addHelpText(
      'after',
      `
The file holds the definition itself, or {"flow_definition": …, "metadata": …}.
Ends with 0 when the flow could be saved and with 1 when it could not.

Examples:
  tutti flows validate review.json
  jq .flow_definition export.json | tutti flows validate -`,
    )
    .action(async (file: string) => {
      const { validateFlow } = await import('./flows-validate.ts')
      process.exitCode = (await validateFlow(file)) ? 0 : 1
    })

  pointToHelp(flows)
}

import type { Command } from 'commander'
import { UserError } from '#kernel/errors'
import { pointToHelp } from './command-options.ts'
import type { ListOptions } from './remote/flows/list.ts'
import type { ShowOptions } from './remote/flows/show.ts'
import { addRemoteFlowCommands } from './remote/flows-commands.ts'
import { addPlatformOptions, remote } from './remote/remote-command.ts'

const aboutFiles = `
The file holds the definition itself, or {"flow_definition": …, "metadata": …}.
Ends with 0 when the flow could be saved and with 1 when it could not.`

/** `tutti flows …` */
export function addFlowCommands(program: Command): void {
  const flows = program
    .command('flows')
    .description(
      'Flows: push, pull, compare and test files, check a definition, list, show, import and export',
    )
    .addHelpText(
      'after',
      `
push, pull, diff and test use a platform over HTTP; so do list and show when you are
signed in. import and export use the database of this machine.`,
    )

  flows
    .command('validate')
    .description('Check a flow definition in a JSON file, and say all that is wrong with it')
    .argument('<file>', 'the file; - reads standard input')
    .addHelpText(
      'after',
      `${aboutFiles}

Examples:
  npx tutti flows validate review.json
  jq .flow_definition export.json | npx tutti flows validate -`,
    )
    .action(async (file: string) => {
      const { validateFlow } = await import('./validate-flow.ts')
      process.exitCode = (await validateFlow(file)) ? 0 : 1
    })

  const list = flows
    .command('list')
    .description('List the flows of the platform you are signed in to, else of this machine')
    .option('--search <text>', 'only those with this in id, label, description, tags or use cases')
    .option('--json', 'more about them, for scripts')
    .action(
      remote(async (options: ListOptions) => {
        const { isPlatformNamed } = await import('./find-platform.ts')
        if (await isPlatformNamed(options)) {
          const { listFlowsOfPlatform } = await import('./remote/flows/list.ts')
          return await listFlowsOfPlatform(options)
        }
        const { listFlows } = await import('./flows.ts')
        return await listFlows(options)
      }),
    )
  addPlatformOptions(list)

  const show = flows
    .command('show')
    .description('Show a flow of the platform you are signed in to, else of this machine, step by step')
    .argument('<id>', 'the id of the flow')
    .option('--revision <number>', 'an older one (default: the current one)', readRevision)
    .action(
      remote(async (id: string, options: ShowOptions) => {
        const { isPlatformNamed } = await import('./find-platform.ts')
        if (await isPlatformNamed(options)) {
          const { showFlowOfPlatform } = await import('./remote/flows/show.ts')
          return await showFlowOfPlatform(id, options)
        }
        const { showFlow } = await import('./flows.ts')
        return await showFlow(id, options.revision)
      }),
    )
  addPlatformOptions(show)

  flows
    .command('import')
    .description('Save a flow from a JSON file: a new one, or a new revision of one that is there')
    .argument('<file>', 'the file; - reads standard input')
    .option('--note <text>', 'what changed, for the list of versions')
    .addHelpText(
      'after',
      `${aboutFiles}

Examples:
  npx tutti flows import review.json --note 'A shorter prompt'
  npx tutti flows export seo_optimisation | sed s/seo_optimisation/our_seo/ | npx tutti flows import -`,
    )
    .action(async (file: string, options: { readonly note?: string }) => {
      const { importFlow } = await import('./flows.ts')
      process.exitCode = (await importFlow(file, options)) ? 0 : 1
    })

  flows
    .command('export')
    .description('Print a flow as JSON, as import and the API take it')
    .argument('<id>', 'the id of the flow')
    .option('--revision <number>', 'an older one (default: the current one)', readRevision)
    .action(async (id: string, options: { readonly revision?: number }) => {
      const { exportFlow } = await import('./flows.ts')
      await exportFlow(id, options)
    })

  addRemoteFlowCommands(flows)
  pointToHelp(flows)
}

function readRevision(text: string): number {
  const revision = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (revision === 0) throw new UserError(`"${text}" is no revision; they are counted from 1.`)
  return revision
}

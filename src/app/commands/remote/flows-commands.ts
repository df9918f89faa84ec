import type { Command } from 'commander'
import { collectNames } from '../command-options.ts'
import type { DiffOptions } from './flows/diff.ts'
import { defaultFolder } from './flows/flow-files.ts'
import type { PullOptions } from './flows/pull.ts'
import type { PushOptions } from './flows/push.ts'
import type { TestOptions } from './flows/test.ts'
import { aboutExitCodes, addRemoteOptions, type RemoteOptions, remote } from './remote-command.ts'

/** `tutti flows push`, `pull`, `diff`, `test`, `enable` and `disable`, in the group of flows. */
export function addRemoteFlowCommands(flows: Command): void {
  const push = flows
    .command('push')
    .description('Save flows from files on a platform: new ones, and new revisions of changed ones')
    .argument('[place...]', `files, or folders with *.flow.json files (default: ${defaultFolder})`)
    .option('--note <text>', 'what changed, for the list of versions')
    .option('--dry-run', 'check everything and print what would change, but save nothing')
    .option('--prune', 'delete flows that your account pushed and that no file has any more')
    .option('--force', 'replace revisions that were saved on the platform in between')
    .addHelpText(
      'after',
      `
All files are checked before the first one is saved; one that has a problem or a
conflict keeps all of them from being saved. A push replaces the revision that
the file is based on (.tutti-revisions.json), and revisions that the same account
pushed. Anything else is a conflict: the flow was changed on the platform.
${aboutExitCodes}

Examples:
  npx tutti flows push
  npx tutti flows push flows --prune --dry-run
  npx tutti flows push flows/review.flow.json --note 'A shorter prompt' --profile staging`,
    )
    .action(
      remote(async (places: readonly string[], options: PushOptions) => {
        const { pushFlows } = await import('./flows/push.ts')
        return await pushFlows(orDefault(places), options)
      }),
    )
  addRemoteOptions(push, 'print what was done as JSON')

  const pull = flows
    .command('pull')
    .description('Write flows of a platform to files, for git')
    .argument('[id...]', 'the ids of the flows (default: all that are not built in)')
    .option('--dir <folder>', 'the folder of the files', defaultFolder)
    .option('--no-layout', 'leave out the positions of the steps on the canvas')
    .option('--force', 'replace files that have changes of their own')
    .addHelpText(
      'after',
      `
Each flow is a file ID.flow.json, with sorted keys, so that changes are small; the
positions on the canvas are in ID.layout.json. Commit both, and .tutti-revisions.json.
Credentials stay on the platform: the files have [redacted], and a push keeps them.
${aboutExitCodes}

Examples:
  npx tutti flows pull
  npx tutti flows pull review triage --dir flows`,
    )
    .action(
      remote(async (ids: readonly string[], options: PullOptions) => {
        const { pullFlows } = await import('./flows/pull.ts')
        return await pullFlows(ids, options)
      }),
    )
  addRemoteOptions(pull, 'print what was done as JSON')

  const diff = flows
    .command('diff')
    .description('Compare files with the flows of a platform, step by step')
    .argument('[place...]', `files, or folders with *.flow.json files (default: ${defaultFolder})`)
    .addHelpText(
      'after',
      `
Prints what a push would change: + added, - removed, ~ changed.
Ends with 0 without a difference, and with 1 with one.

Examples:
  npx tutti flows diff
  npx tutti flows diff flows/review.flow.json --profile production`,
    )
    .action(
      remote(async (places: readonly string[], options: DiffOptions) => {
        const { diffWithPlatform } = await import('./flows/diff.ts')
        return await diffWithPlatform(orDefault(places), options)
      }),
    )
  addRemoteOptions(diff, 'print the differences as JSON')

  addTest(flows)
  addStates(flows)
}

function addTest(flows: Command): void {
  const test = flows
    .command('test')
    .description('Run the saved tests of flows: nothing is called and nothing is paid')
    .argument('[id...]', 'the ids of the flows (default: all with tests that are not built in)')
    .option('--dir <folder>', 'test the *.flow.json files of this folder in place of the saved versions')
    .option('--name <test>', 'only tests with this name; may be repeated', collectNames)
    .addHelpText(
      'after',
      `
A test has a saved input, recorded answers of models and services, and conditions.
The console and PUT /flows/ID/tests/NAME save one from a run. For each condition
that is not met, - is the expected value, and + the actual one.
Ends with 0 when all tests passed, and with 1 when one failed.

Examples:
  npx tutti flows test
  npx tutti flows test review triage --name happy_path
  npx tutti flows test --dir flows && npx tutti flows push`,
    )
    .action(
      remote(async (ids: readonly string[], options: TestOptions) => {
        const { testFlows } = await import('./flows/test.ts')
        return await testFlows(ids, options)
      }),
    )
  addRemoteOptions(test, 'print the results as JSON')
}

function addStates(flows: Command): void {
  const states = [
    { name: 'enable', enabled: true, about: 'Let a disabled flow run again' },
    {
      name: 'disable',
      enabled: false,
      about: 'Refuse every new run of a flow, also by schedules and triggers; running ones continue',
    },
  ]
  for (const { name, enabled, about } of states) {
    const command = flows
      .command(name)
      .description(about)
      .argument('<id>', 'the id of the flow')
      .addHelpText('after', `${aboutExitCodes}\n\nExample:\n  npx tutti flows ${name} review`)
      .action(
        remote(async (id: string, options: RemoteOptions) => {
          const { enableFlow } = await import('./flows/state.ts')
          return await enableFlow(id, enabled, options)
        }),
      )
    addRemoteOptions(command, 'print the state as JSON')
  }
}

function orDefault(places: readonly string[]): readonly string[] {
  return places.length === 0 ? [defaultFolder] : places
}

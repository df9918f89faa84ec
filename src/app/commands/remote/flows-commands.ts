import type { Command } from 'commander'
import type { DiffOptions } from './flows/diff.ts'
import { defaultFolder } from './flows/flow-files.ts'
import type { PullOptions } from './flows/pull.ts'
import type { PushOptions } from './flows/push.ts'
import { aboutExitCodes, addRemoteOptions, remote } from './remote-command.ts'

/** `tutti flows push`, `pull` and `diff`, in the group of flows. */
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
}

function orDefault(places: readonly string[]): readonly string[] {
  return places.length === 0 ? [defaultFolder] : places
}

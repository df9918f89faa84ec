import { type Command, InvalidArgumentError, Option } from 'commander'
import { pointToHelp } from '../command-options.ts'
import { aboutExitCodes, addRemoteOptions, endWithNotPossible, remote } from './remote-command.ts'
import type { CancelOptions, DecideOptions, ListOptions, RetryOptions, ShowOptions } from './runs.ts'

/** `tutti runs …` */
export function addRunsCommands(program: Command): void {
  const runs = program
    .command('runs')
    .description('Runs of flows on a platform: list, show, retry, cancel, approve')
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = runs
    .command('list')
    .description('List runs, the newest first')
    .option('--flow <id>', 'only runs of this flow')
    .addOption(
      new Option('--status <status>', 'only runs with this status').choices([
        'queued',
        'running',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--limit <number>', 'how many at most', readLimit, 20)
    .addHelpText(
      'after',
      `
Your own runs; with the permission "manage workflows" those of all accounts.

Examples:
  npx tutti runs list --status failed
  npx tutti runs list --flow review --limit 500 --json | jq -r '.[].execution_id'`,
    )
    .action(
      remote(async (options: ListOptions) => {
        const { listRuns } = await import('./runs.ts')
        return await listRuns(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const show = runs
    .command('show')
    .description('Show a run: status, steps, and its result or error')
    .argument('<id>', 'the id of the run')
    .option('--result', 'print the result alone, for pipes and files')
    .option('--follow', 'wait for the end of the run, with its progress; Ctrl-C leaves the run alone')
    .addHelpText(
      'after',
      `
Ends with 0 when the run completed, and with 1 when it failed or was cancelled;
with --result also when it has not ended yet.

Examples:
  npx tutti runs show 01a2… --follow
  npx tutti runs show 01a2… --result > report.md`,
    )
    .action(
      remote(async (id: string, options: ShowOptions) => {
        const { showRun } = await import('./runs.ts')
        return await showRun(id, options)
      }),
    )
  addRemoteOptions(show, 'print everything about the run as JSON')

  const retry = runs
    .command('retry')
    .description('Run the failed steps of a run again; finished steps keep their results')
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--action <action>', 'how to recover (default: run the failed steps again)').choices([
        'restart_from_checkpoint',
        'retry_with_different_provider',
        'continue_without_failed_step',
      ]),
    )
    .option('--from <step>', 'start a new run at this step instead; steps before it keep their results')
    .option('--follow', 'wait for the end, with its progress')
    .addHelpText(
      'after',
      `
Without --from the run continues under the same id, and must have failed.

Examples:
  npx tutti runs retry 01a2… --follow
  npx tutti runs retry 01a2… --from summarise`,
    )
    .action(
      remote(async (id: string, options: RetryOptions) => {
        const { retryRun } = await import('./runs.ts')
        return await retryRun(id, options)
      }),
    )
  addRemoteOptions(retry, 'print the answer of the platform as JSON')

  const cancel = runs
    .command('cancel')
    .description('Stop a run')
    .argument('<id>', 'the id of the run')
    .option('--reason <text>', 'why, for the log of the run')
    .option('--force', 'do not wait for the worker; calls in progress are charged in full')
    .action(
      remote(async (id: string, options: CancelOptions) => {
        const { cancelRun } = await import('./runs.ts')
        return await cancelRun(id, options)
      }),
    )
  addRemoteOptions(cancel, 'print the answer of the platform as JSON')

  for (const [decision, description] of [
    ['approve', 'Approve a run that waits for approval, so that it starts'],
    ['reject', 'Refuse a run that waits for approval; it ends as cancelled'],
  ] as const) {
    const command = runs
      .command(decision)
      .description(description)
      .argument('<id>', 'the id of the run')
      .option('--note <text>', 'the reason, for the account that requested the run')
      .action(
        remote(async (id: string, options: DecideOptions) => {
          const { decideRun } = await import('./runs.ts')
          return await decideRun(id, decision, options)
        }),
      )
    addRemoteOptions(command, 'print the answer of the platform as JSON')
  }

  pointToHelp(runs)
}

const maxLimit = 10_000

/** Parses how many entries a list shall have. */
export function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= maxLimit) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxLimit}.`)
}

import { type Command, InvalidArgumentError, Option } from 'commander'
import { pointToHelp } from '../command-options.ts'
import type { DecideOptions } from './decide-run.ts'
import { aboutExitCodes, addRemoteOptions, endWithNotPossible, remote } from './remote-command.ts'
import type { CancelOptions, ListOptions, RetryOptions, ShowOptions } from './runs.ts'

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
    .option('--waiting', 'only runs that wait for a time, an event or the answer of a person')
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
    .option(
      '--within <path>',
      'list the items of a container (translate_all), or the steps of one (translate_all/7)',
    )
    .addHelpText(
      'after',
      `
Ends with 0 when the run completed, and with 1 when it failed or was cancelled;
with --result also when it has not ended yet.

Examples:
  npx tutti runs show 01a2… --follow
  npx tutti runs show 01a2… --result > report.md
  npx tutti runs show 01a2… --within translate_all`,
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
    .option('--budget <dollars>', 'a higher budget, for a run that used up its own', readDollars)
    .option('--from <step>', 'start a new run at this step instead; steps before it keep their results')
    .option('--latest', 'start a new run with the newest version of the flow and the same input')
    .option('--follow', 'wait for the end, with its progress')
    .addHelpText(
      'after',
      `
Without --from and --latest the run continues under the same id, and must have
failed. A step inside a container is named by its path: translate_all/7/translate.

Examples:
  npx tutti runs retry 01a2… --follow
  npx tutti runs retry 01a2… --budget 2.50
  npx tutti runs retry 01a2… --from summarise
  npx tutti runs retry 01a2… --latest --follow`,
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

  addDecisions(runs)
  pointToHelp(runs)
}

function addDecisions(runs: Command): void {
  for (const [decision, description] of [
    ['approve', 'Approve a run that waits: for an answer of a person, or for the approval of its start'],
    ['reject', 'Refuse a run that waits: the answer is "approved": false, or the run does not start'],
  ] as const) {
    const command = runs
      .command(decision)
      .description(description)
      .argument('<id>', 'the id of the run')
      .option('--task <task>', 'which human task, by id or step, when several are open')
      .option('--comment <text>', 'the reason; --note is the same')
      .addOption(new Option('--note <text>').hideHelp())
      .action(
        remote(async (id: string, options: DecideOptions) => {
          const { decideRun } = await import('./decide-run.ts')
          return await decideRun(id, decision, options)
        }),
      )
    if (decision === 'approve') {
      command.option('--answer <json>', 'the whole answer, for a form with more fields: JSON, @FILE or -')
      command.addHelpText(
        'after',
        `
Without --answer, the field "approved" of the form becomes true.

Examples:
  npx tutti runs approve 01a2… --comment 'Looks good'
  npx tutti runs approve 01a2… --task review --answer '{"approved": true, "tone": "friendlier"}'`,
      )
    }
    addRemoteOptions(command, 'print the answer of the platform as JSON')
  }
}

const maxLimit = 10_000

/** Parses how many entries a list shall have. */
export function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= maxLimit) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxLimit}.`)
}

function readDollars(text: string): number {
  const dollars = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (dollars > 0) return dollars
  throw new InvalidArgumentError('It must be an amount in dollars, such as 2.50.')
}

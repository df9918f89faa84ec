import { type Command, Option } from 'commander'
import { pointToHelp } from '../command-options.ts'
import {
  aboutExitCodes,
  addRemoteOptions,
  type DeleteOptions,
  endWithNotPossible,
  type RemoteOptions,
  remote,
} from './remote-command.ts'
import { readLimit } from './runs-commands.ts'
import type { CreateOptions, ListOptions } from './schedules.ts'

/** `tutti schedules …` */
export function addSchedulesCommands(program: Command): void {
  const schedules = program
    .command('schedules')
    .description('Schedules that run flows: list, show, create, pause, resume, delete')
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = schedules
    .command('list')
    .description('List schedules, the oldest first')
    .option('--flow <id>', 'only schedules of this flow')
    .option('--limit <number>', 'how many at most', readLimit, 200)
    .action(
      remote(async (options: ListOptions) => {
        const { listSchedules } = await import('./schedules.ts')
        return await listSchedules(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const show = schedules
    .command('show')
    .description('Show a schedule with its next times and its last run')
    .argument('<id>', 'the id of the schedule')
    .action(
      remote(async (id: string, options: RemoteOptions) => {
        const { showSchedule } = await import('./schedules.ts')
        return await showSchedule(id, options)
      }),
    )
  addRemoteOptions(show, 'print everything about the schedule as JSON')

  addCreate(schedules)

  for (const [verb, enabled, description] of [
    ['pause', false, 'Stop a schedule until it is resumed; running runs continue'],
    ['resume', true, 'Let a paused schedule run again; missed times are not made up for'],
  ] as const) {
    const command = schedules
      .command(verb)
      .description(description)
      .argument('<id>', 'the id of the schedule')
      .action(
        remote(async (id: string, options: RemoteOptions) => {
          const { enableSchedule } = await import('./schedules.ts')
          return await enableSchedule(id, enabled, options)
        }),
      )
    addRemoteOptions(command, 'print the schedule as JSON')
  }

  const remove = schedules
    .command('delete')
    .description('Delete a schedule; its running runs continue')
    .argument('<id>', 'the id of the schedule')
    .option('--yes', 'do not ask; needed without a terminal')
    .action(
      remote(async (id: string, options: DeleteOptions) => {
        const { deleteSchedule } = await import('./schedules.ts')
        return await deleteSchedule(id, options)
      }),
    )
  addRemoteOptions(remove, 'print the answer of the platform as JSON')

  pointToHelp(schedules)
}

function addCreate(schedules: Command): void {
  const create = schedules
    .command('create')
    .description('Run a flow at the times of a cron expression')
    .argument('<flow>', 'the id of the flow')
    .requiredOption('--cron <expression>', 'minute, hour, day of month, month, day of week')
    .option('--timezone <name>', 'an IANA time zone, such as Europe/Berlin (default: UTC)')
    .option('--label <text>', 'the display name')
    .option('--input <text>', 'the input of each run: a text, @FILE, or - for standard input')
    .option('--context <json>', 'further context as a JSON object, or @FILE')
    .option('--flow-version <number>', 'always run this version (default: the current one at each time)')
    .addOption(
      new Option('--priority <priority>', 'the priority of the runs (default: normal)').choices([
        'low',
        'normal',
        'high',
        'urgent',
      ]),
    )
    .addOption(
      new Option('--overlap <rule>', 'while the previous run is still running (default: skip)').choices([
        'skip',
        'queue',
      ]),
    )
    .option('--paused', 'create it paused')
    .addHelpText(
      'after',
      `
Examples:
  npx tutti schedules create review --cron '0 9 * * 1-5' --timezone Europe/Berlin --input @article.md
  npx tutti schedules create digest --cron '0 * * * *' --overlap queue --label 'Hourly digest'`,
    )
    .action(
      remote(async (flow: string, options: CreateOptions) => {
        const { createSchedule } = await import('./schedules.ts')
        return await createSchedule(flow, options)
      }),
    )
  addRemoteOptions(create, 'print the schedule as JSON')
}

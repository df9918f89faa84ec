import { type Command, Option } from 'commander'
import { pointToHelp } from '../command-options.ts'
import type { AnswerOptions, ListOptions } from './human-tasks.ts'
import {
  aboutExitCodes,
  addRemoteOptions,
  endWithNotPossible,
  type RemoteOptions,
  remote,
} from './remote-command.ts'
import { readLimit } from './runs-commands.ts'

/** `tutti human-tasks …` */
export function addHumanTasksCommands(program: Command): void {
  const tasks = program
    .command('human-tasks')
    .description('Questions of runs to people: list, show, answer')
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = tasks
    .command('list')
    .description('List the questions that runs wait for, the oldest first')
    .addOption(
      new Option('--state <state>', 'only tasks in this state')
        .choices(['open', 'answered', 'timed_out', 'cancelled', 'all'])
        .default('open'),
    )
    .option('--mine', 'only tasks that are assigned to you, or to your role')
    .option('--run <id>', 'only tasks of this run')
    .option('--limit <number>', 'how many at most', readLimit, 50)
    .addHelpText(
      'after',
      `
Tasks of your runs, and those assigned to you; with the permission "manage
workflows" all of them.`,
    )
    .action(
      remote(async (options: ListOptions) => {
        const { listHumanTasks } = await import('./human-tasks.ts')
        return await listHumanTasks(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const show = tasks
    .command('show')
    .description('Show a question, the fields of its answer, and who may answer')
    .argument('<id>', 'the id of the task')
    .action(
      remote(async (id: string, options: RemoteOptions) => {
        const { showHumanTask } = await import('./human-tasks.ts')
        return await showHumanTask(id, options)
      }),
    )
  addRemoteOptions(show, 'print everything about the task as JSON')

  const answer = tasks
    .command('answer')
    .description('Answer a question, so that its run continues; the first answer counts')
    .argument('<id>', 'the id of the task')
    .option('--answer <json>', 'the answer as a JSON object, @FILE, or - for standard input')
    .option('--comment <text>', 'a comment on the answer')
    .addHelpText(
      'after',
      `
At a terminal, without --answer, each field is asked for.

Examples:
  npx tutti human-tasks answer 01a2…
  npx tutti human-tasks answer 01a2… --answer '{"approved": false}' --comment 'Too long'`,
    )
    .action(
      remote(async (id: string, options: AnswerOptions) => {
        const { answerHumanTask } = await import('./human-tasks.ts')
        return await answerHumanTask(id, options)
      }),
    )
  addRemoteOptions(answer, 'print the answer of the platform as JSON')

  pointToHelp(tasks)
}

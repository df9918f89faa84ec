import { type Command, Option } from 'commander'
import { collectNames, pointToHelp } from '../command-options.ts'
import {
  aboutExitCodes,
  addRemoteOptions,
  type DeleteOptions,
  endWithNotPossible,
  type RemoteOptions,
  remote,
} from './remote-command.ts'
import { readLimit } from './runs-commands.ts'
import type { ChangeOptions, CreateOptions, DeliveriesOptions, ListOptions } from './triggers.ts'

/** `tutti triggers …` */
export function addTriggersCommands(program: Command): void {
  const triggers = program
    .command('triggers')
    .description(
      'Triggers that run flows for requests and events: list, show, create, change, enable, disable, delete, deliveries',
    )
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = triggers
    .command('list')
    .description('List triggers, the oldest first')
    .option('--flow <id>', 'only triggers of this flow')
    .addOption(new Option('--kind <kind>', 'only triggers of this kind').choices(['webhook', 'event']))
    .option('--limit <number>', 'how many at most', readLimit, 200)
    .action(
      remote(async (options: ListOptions) => {
        const { listTriggers } = await import('./triggers.ts')
        return await listTriggers(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const show = triggers
    .command('show')
    .description('Show a trigger with its counts and its last error; URL and secret are not shown again')
    .argument('<id>', 'the id of the trigger')
    .action(
      remote(async (id: string, options: RemoteOptions) => {
        const { showTrigger } = await import('./triggers.ts')
        return await showTrigger(id, options)
      }),
    )
  addRemoteOptions(show, 'print everything about the trigger as JSON')

  addCreate(triggers)
  addChange(triggers)

  for (const [verb, enabled, description] of [
    ['enable', true, 'Let a disabled trigger start runs again'],
    ['disable', false, 'Stop a trigger; requests to its URL get 404 until it is enabled'],
  ] as const) {
    const command = triggers
      .command(verb)
      .description(description)
      .argument('<id>', 'the id of the trigger')
      .action(
        remote(async (id: string, options: RemoteOptions) => {
          const { enableTrigger } = await import('./triggers.ts')
          return await enableTrigger(id, enabled, options)
        }),
      )
    addRemoteOptions(command, 'print the trigger as JSON')
  }

  const remove = triggers
    .command('delete')
    .description('Delete a trigger; its running runs continue')
    .argument('<id>', 'the id of the trigger')
    .option('--yes', 'do not ask; needed without a terminal')
    .action(
      remote(async (id: string, options: DeleteOptions) => {
        const { deleteTrigger } = await import('./triggers.ts')
        return await deleteTrigger(id, options)
      }),
    )
  addRemoteOptions(remove, 'print the answer of the platform as JSON')

  const deliveries = triggers
    .command('deliveries')
    .description('List the requests or events of the last seven days, the newest first')
    .argument('<id>', 'the id of the trigger')
    .option('--limit <number>', 'how many at most', readLimit, 20)
    .action(
      remote(async (id: string, options: DeliveriesOptions) => {
        const { listDeliveries } = await import('./triggers.ts')
        return await listDeliveries(id, options)
      }),
    )
  addRemoteOptions(deliveries, 'print them as JSON')

  pointToHelp(triggers)
}

function addCreate(triggers: Command): void {
  const create = triggers
    .command('create')
    .description('Run a flow for each request to a URL, or with --event for each event')
    .argument('<flow>', 'the id of the flow')
    .addOption(
      new Option('--verify <sender>', 'a webhook; how its requests prove who sent them').choices([
        'github',
        'gitlab',
        'stripe',
        'slack',
        'shopify',
        'standard_webhooks',
        'hmac',
        'header',
        'none',
      ]),
    )
    .option('--header <name>', 'the header with the secret or signature, for --verify header and hmac')
    .option('--secret', 'use a secret of yours: asked for, or read from standard input (default: generated)')
  addSharedOptions(create)
    .option('--disabled', 'create it disabled')
    .addHelpText(
      'after',
      `
Prints the URL for the sender, and the generated secret, once. Stripe, Slack and
Shopify show a secret of their own: it is asked for.

Examples:
  npx tutti triggers create triage --verify github --input '{{body.issue.body}}' --label 'New issues'
  npx tutti triggers create review --verify header --header X-Secret --context '{"title": "{{body.title}}"}'
  npx tutti triggers create report --event flow.execution.failed --input '{{event.error.message}}'
  npx tutti triggers create order --verify stripe < signing-secret.txt`,
    )
    .action(
      remote(async (flow: string, options: CreateOptions) => {
        const { createTrigger } = await import('./triggers.ts')
        return await createTrigger(flow, options)
      }),
    )
  addRemoteOptions(create, 'print the trigger with its URL and secret as JSON')
}

function addChange(triggers: Command): void {
  const change = triggers
    .command('change')
    .description('Change a trigger; what is not given stays, and so do its URL and its secret')
    .argument('<id>', 'the id of the trigger')
  addSharedOptions(change)
    .addHelpText(
      'after',
      `
--input and --context replace the whole input. --event replaces all events.

Examples:
  npx tutti triggers change 01990f0a-2f3c-7cc0-9d3b-0d1c8f6c2b11 --input '{{body.issue.title}}'
  npx tutti triggers change 01990f0a-2f3c-7cc0-9d3b-0d1c8f6c2b11 --label 'Issues' --respond with_result`,
    )
    .action(
      remote(async (id: string, options: ChangeOptions) => {
        const { changeTrigger } = await import('./triggers.ts')
        return await changeTrigger(id, options)
      }),
    )
  addRemoteOptions(change, 'print the trigger as JSON')
}

/** The options of a new trigger that can be changed later. */
function addSharedOptions(command: Command): Command {
  return command
    .option('--event <type>', 'follow events, such as flow.execution.failed; may be repeated', collectNames)
    .option('--input <template>', 'the input of each run, such as "{{body.text}}"; or @FILE')
    .option('--context <json>', 'further context as a JSON object with templates, or @FILE')
    .option('--filter <json>', 'a condition as a JSON object, or @FILE; where it is false, nothing starts')
    .addOption(
      new Option('--respond <when>', 'respond when the run is queued, or with its result').choices([
        'at_once',
        'with_result',
      ]),
    )
    .option('--flow-version <number>', 'always run this version (default: the current one)')
    .addOption(
      new Option('--priority <priority>', 'the priority of the runs (default: normal)').choices([
        'low',
        'normal',
        'high',
        'urgent',
      ]),
    )
    .option('--label <text>', 'the display name')
}

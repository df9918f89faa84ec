import { UserError } from '#kernel/errors'
import { type RequestOptions, readGiven, readObject, readRequest } from '../run/read-request.ts'
import { oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import { confirm, readSecretValue } from './ask.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { type DeleteOptions, exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

/** As in the responses of the API. */
interface Trigger {
  readonly trigger_id: string
  readonly label: string | null
  readonly kind: 'webhook' | 'event'
  /** Null: it sends an event. */
  readonly flow_id: string | null
  readonly signal: { readonly event: string } | null
  readonly flow_version: number | null
  readonly enabled: boolean
  readonly priority: string
  readonly input: Readonly<Record<string, unknown>>
  readonly filter: Readonly<Record<string, unknown>> | null
  readonly verification: { readonly type: string } | null
  readonly delivery_id: string | null
  readonly respond: string | null
  readonly response: unknown
  readonly events: readonly string[] | null
  readonly last_at: number | null
  readonly last_outcome: string | null
  readonly last_error: { readonly code: string; readonly message: string } | null
  readonly last_execution_id: string | null
  readonly counts: { readonly started: number; readonly ignored: number; readonly refused: number }
}

interface Saved {
  readonly trigger: Trigger
  readonly url: string | null
  readonly secret: string | null
}

export interface ListOptions extends RemoteOptions {
  readonly flow?: string
  readonly kind?: string
  readonly limit: number
}

/** `tutti triggers list` */
export async function listTriggers({ flow, kind, limit, json, ...options }: ListOptions) {
  const api = await connect(options)
  const query = { flow_id: flow, kind }
  const { entries, total } = await api.list<Trigger>('/triggers', { entries: 'triggers', query, limit })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error('No triggers yet. Create one: npx tutti triggers create --help')
    return exitCodes.done
  }
  const { isTTY } = process.stdout
  const now = new Date()
  const rows = entries.map((trigger) => [
    trigger.trigger_id,
    stateOf(trigger),
    targetOf(trigger),
    sourceOf(trigger),
    writeTime(trigger.last_at, now, isTTY),
    trigger.last_outcome ?? '',
    oneLine(trigger.label ?? ''),
  ])
  const header = ['ID', 'STATE', 'FLOW', 'SOURCE', 'LAST', 'OUTCOME', 'LABEL']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [2, 3, 6] }))
  if (total > entries.length) console.error(`The first ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

/** The flow that it runs, or the event that it sends. */
function targetOf({ flow_id: flow, signal }: Trigger): string {
  return oneLine(flow ?? `event ${signal?.event ?? ''}`)
}

function stateOf({ enabled }: Trigger): string {
  return enabled ? 'enabled' : 'disabled'
}

/** What starts the flow, in short. */
function sourceOf({ verification, events }: Trigger): string {
  return events === null ? `webhook (${verification?.type ?? 'none'})` : oneLine(events.join(', '))
}

/** `tutti triggers show` */
export async function showTrigger(id: string, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const trigger = await read(api, id)
  if (json === true) printJson(trigger)
  else printTrigger(trigger)
  return exitCodes.done
}

function read(api: PlatformApi, id: string): Promise<Trigger> {
  return api.call<Trigger>(`/triggers/${inPath(id)}`)
}

function printTrigger(trigger: Trigger): void {
  const { counts, last_error: error, last_at: lastAt } = trigger
  const version = trigger.flow_version === null ? '' : `, version ${trigger.flow_version}`
  console.log(`${oneLine(trigger.label ?? targetOf(trigger))}: ${stateOf(trigger)}`)
  console.log(trigger.trigger_id)
  const last = lastAt === null ? 'never' : writeTime(lastAt, new Date(), process.stdout.isTTY)
  const rows = [
    ['Flow', `${targetOf(trigger)}${version}`],
    ['Source', sourceOf(trigger)],
    ['Input', oneLine(JSON.stringify(trigger.input))],
    ...(trigger.filter === null ? [] : [['Filter', oneLine(JSON.stringify(trigger.filter))]]),
    ...(trigger.respond === null ? [] : [['Responds', trigger.respond.replace('_', ' ')]]),
    ['Started', `${counts.started}, ignored ${counts.ignored}, refused ${counts.refused}`],
    ['Last', trigger.last_outcome === null ? last : `${last}, ${trigger.last_outcome}`],
    ...(trigger.last_execution_id === null ? [] : [['Last run', trigger.last_execution_id]]),
    ...(error === null ? [] : [['Error', `${error.code}: ${oneLine(error.message)}`]]),
  ]
  console.log(`\n${writeTable(rows[0] ?? [], rows.slice(1))}`)
}

export interface CreateOptions extends RemoteOptions, Omit<RequestOptions, 'option'> {
  readonly event?: readonly string[]
  readonly verify?: string
  readonly header?: string
  readonly secret?: true
  readonly filter?: string
  readonly respond?: string
  readonly priority?: string
  readonly label?: string
  readonly disabled?: true
}

/** Senders that show their own secret; the platform cannot generate it. */
const sendersWithSecret = new Set(['stripe', 'slack', 'shopify'])

/** `tutti triggers create`: a webhook, or with `--event` a trigger for events. */
export async function createTrigger(flow: string, given: CreateOptions) {
  const { event, filter, respond, priority, label, disabled, json } = given
  const verification = await verificationOf(given)
  const api = await connect(given)
  const { context, options: _, ...request } = await readRequest(flow, given)
  const saved = await api.call<Saved>('/triggers', {
    method: 'POST',
    body: {
      ...request,
      kind: event === undefined ? 'webhook' : 'event',
      input: context,
      ...(event !== undefined && { events: event }),
      ...(verification !== undefined && { verification }),
      ...(filter !== undefined && { filter: readObject(await readGiven(filter, '--filter'), '--filter') }),
      ...(respond !== undefined && { respond }),
      ...(priority !== undefined && { priority }),
      ...(label !== undefined && { label }),
      ...(disabled === true && { enabled: false }),
    },
  })
  if (json === true) {
    printJson(saved)
    return exitCodes.done
  }
  printTrigger(saved.trigger)
  printSecrets(saved)
  return exitCodes.done
}

async function verificationOf({ event, verify, header, secret }: CreateOptions): Promise<object | undefined> {
  if (event !== undefined) {
    if (verify === undefined && header === undefined && secret === undefined) return undefined
    throw new UserError(
      '--verify, --header and --secret are for webhooks; --event makes a trigger for events.',
    )
  }
  if (verify === undefined)
    throw new UserError('Give --verify for a webhook, or --event for a trigger that follows events.')
  const isAsked = secret === true || sendersWithSecret.has(verify)
  return {
    type: verify,
    ...(header !== undefined && { header }),
    ...(isAsked && { secret: await readSecretValue('secret of the sender') }),
  }
}

/** URL and secret are in this response only. */
function printSecrets({ url, secret }: Saved): void {
  if (url === null) return
  const rows = [['URL', url], ...(secret === null ? [] : [['Secret', secret]])]
  console.log(`\n${writeTable(rows[0] ?? [], rows.slice(1))}`)
  console.error(
    secret === null
      ? 'The URL is a secret and is shown only now: give it to the sender.'
      : 'Both are secrets and are shown only now: give them to the sender.',
  )
}

/** What `tutti triggers change` replaces; everything else stays. */
export type ChangeOptions = Omit<CreateOptions, 'verify' | 'header' | 'secret' | 'disabled'>

/** `tutti triggers change` */
export async function changeTrigger(id: string, given: ChangeOptions) {
  const { event, filter, respond, priority, label, input, context, flowVersion, json } = given
  const changes = [event, filter, respond, priority, label, input, context, flowVersion]
  if (changes.every((change) => change === undefined))
    throw new UserError('Say what to change, for example with --input. See: npx tutti triggers change --help')
  const api = await connect(given)
  const before = await read(api, id)
  const { context: wanted, flow_version } = await readRequest('', given)
  const { trigger } = await api.call<Saved>(`/triggers/${inPath(id)}`, {
    method: 'PUT',
    body: {
      ...bodyOf(before),
      enabled: before.enabled,
      ...((input !== undefined || context !== undefined) && { input: wanted }),
      ...(flow_version !== undefined && { flow_version }),
      ...(event !== undefined && { events: event }),
      ...(filter !== undefined && { filter: readObject(await readGiven(filter, '--filter'), '--filter') }),
      ...(respond !== undefined && { respond }),
      ...(priority !== undefined && { priority }),
      ...(label !== undefined && { label }),
    },
  })
  if (json === true) printJson(trigger)
  else printTrigger(trigger)
  return exitCodes.done
}

/** `tutti triggers enable` and `tutti triggers disable` */
export async function enableTrigger(id: string, enabled: boolean, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const before = await read(api, id)
  const { trigger } = await api.call<Saved>(`/triggers/${inPath(id)}`, {
    method: 'PUT',
    body: { ...bodyOf(before), enabled },
  })
  if (json === true) printJson(trigger)
  else console.log(`The trigger ${trigger.trigger_id} is ${stateOf(trigger)}.`)
  return exitCodes.done
}

/** The request that saves a trigger as it is: a change replaces all fields, and URL and secret stay. */
function bodyOf(trigger: Trigger): Readonly<Record<string, unknown>> {
  const { kind, priority, input, signal } = trigger
  const { label, flow_id, flow_version, filter, verification, delivery_id, respond, response, events } =
    trigger
  const optional = { label, flow_id, flow_version, filter, verification, delivery_id, respond, response }
  return {
    kind,
    input,
    // An event that is sent has no priority.
    ...(signal === null && { priority }),
    ...Object.fromEntries(
      Object.entries({ ...optional, signal, events }).filter(([, value]) => value !== null),
    ),
  }
}

/** `tutti triggers delete`: asks first at a terminal; elsewhere `--yes` is needed. */
export async function deleteTrigger(id: string, { yes, json, ...options }: DeleteOptions) {
  const api = await connect(options)
  const trigger = await read(api, id)
  const what = `the trigger ${oneLine(trigger.label ?? id)} (${targetOf(trigger)}, ${sourceOf(trigger)})`
  const warning = trigger.kind === 'webhook' ? ' Its URL stops working.' : ''
  if (yes !== true && !(await confirm(`Delete ${what}?${warning}`))) {
    console.error('Nothing was deleted.')
    return exitCodes.notPossible
  }
  const answer = await api.call(`/triggers/${inPath(id)}`, { method: 'DELETE' })
  if (json === true) printJson(answer)
  else console.log(`Deleted ${what}.`)
  return exitCodes.done
}

export interface DeliveriesOptions extends RemoteOptions {
  readonly limit: number
}

interface Delivery {
  readonly delivery_id: string
  readonly received_at: number
  readonly outcome: string
  readonly execution_id: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** `tutti triggers deliveries` */
export async function listDeliveries(id: string, { limit, json, ...options }: DeliveriesOptions) {
  const api = await connect(options)
  const path = `/triggers/${inPath(id)}/deliveries`
  const { entries, total } = await api.list<Delivery>(path, { entries: 'deliveries', limit })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error('Nothing was delivered in the last seven days.')
    return exitCodes.done
  }
  const { isTTY } = process.stdout
  const now = new Date()
  const rows = entries.map((delivery) => [
    writeTime(delivery.received_at, now, isTTY),
    delivery.outcome,
    delivery.execution_id ?? '',
    oneLine(delivery.delivery_id),
    delivery.error === null ? '' : `${delivery.error.code}: ${oneLine(delivery.error.message)}`,
  ])
  const header = ['RECEIVED', 'OUTCOME', 'RUN', 'DELIVERY', 'ERROR']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [3, 4] }))
  if (total > entries.length) console.error(`The newest ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Engine, ExecutionInput, ExecutionRecord } from '#engine'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Idempotency } from '#kernel/idempotency'
import type { Outbound } from '#kernel/outbound'
import type { Worker } from '#kernel/work'
import type { Configured } from '#notifications'
import type { Webhooks } from '#webhooks'
import { invalidField } from './errors.ts'

type WhatToRun = Parameters<Engine['executions']['enqueue']>[0]
type Priority = ExecutionRecord['priority']

/** A request to start an execution, in terms of the engine. */
export interface StartRequest {
  readonly flowId: string
  readonly flowVersion: number | undefined
  readonly priority: Priority
  readonly input: ExecutionInput
  /** Whether the caller waits for the result. */
  readonly waits: boolean
  /** The request field of the callback URL; undefined without one. */
  readonly webhookField: string | undefined
}

interface StarterOptions extends CallbackOptions {
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity'>
  readonly worker: Worker | undefined
  readonly idempotency: Pick<Idempotency, 'workIdOf'>
  /** The callback events of the API; undefined without a callback. */
  readonly planCallback: (
    input: ExecutionInput,
    /** The setting of the flow; undefined without one. */
    flowReportsFailure: boolean | undefined,
  ) => CallbackPlan | undefined
}

export interface Started {
  /** With large outputs as a `JsonText`. */
  readonly record: ExecutionRecord
  /** Whether it has finished and the caller waited for it. False when it only waits, or a limit of its flow keeps it back for long. */
  readonly isOver: boolean
  /** The callback with its secret, which is shown only now; undefined without a callback. */
  readonly callback: Callback | undefined
  /** An execution of the same debounce key had not started yet, and has the input of this request now. */
  readonly debounced: boolean
}

/** Starts executions. */
export interface Starter {
  /**
   * Resolves once the execution has finished or only waits for a waiting caller, else once it is queued. Throws `flow_not_found`, `flow_disabled`, `queue_full`,
   * `too_many_gated`, `invalid_input` for a callback URL that may not be called or a limit of the flow without a value, and `shutting_down` when the process stops before the end.
   */
  start(request: FastifyRequest, wanted: StartRequest, accountId: string): Promise<Started>
}

/**
 * | the caller waits | the flow needs approval | this process works | then                                                             |
 * |------------------|-------------------------|--------------------|------------------------------------------------------------------|
 * | no               |                         |                    | queued                                                           |
 * | yes              | yes                     |                    | queued; the response is the same as for callers that do not wait |
 * | yes              | no                      | yes                | run locally; without a free local slot as in the row below       |
 * | yes              | no                      | no                 | queued, and followed to its end, or until it only waits          |
 *
 * An execution of a flow with limits is never run locally: it comes to the gate of the flow, and is followed. A caller whose execution is
 * at the gate for more than ten seconds gets the same response as callers that do not wait. A debounced start has the id of the earlier
 * execution, which has the callback of the last request.
 *
 * The execution continues when the caller disconnects. While the queue is full, executions that need it are refused.
 */
export function createStarter(options: StarterOptions): Starter {
  const { worker, idempotency, planCallback } = options
  const { executions, flows, capacity } = options.engine
  const openCallback = createCallbackOpener(options)

  async function read(id: string): Promise<ExecutionRecord> {
    const record = await executions.readWithTexts(id)
    if (record === undefined) throw new Error(`execution ${id} is gone`)
    return record
  }

  /**
   * Resolves true once the execution has passed the gate of its flow, and false when it is kept back for long. Debounced ones are.
   */
  async function passesGate(id: string, closing: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + maxGatedMs
    for (;;) {
      const { gated } = await read(id)
      if (gated === null) return true
      const leftMs = deadline - performance.now()
      if (gated.limit === 'debounce' || leftMs <= 0 || closing.aborted) return false
      await setTimeout(Math.min(leftMs, checkGateMs), undefined, { signal: closing }).catch(() => {})
    }
  }

  /** Follows the execution, in whichever process it runs, to its end or until it only waits. Throws `shutting_down` at the signal. */
  async function waitForEnd(id: string, terminating: AbortSignal): Promise<ExecutionRecord> {
    for await (const { type } of executions.follow({ id, after: 0, signal: terminating })) {
      if (type !== 'execution_suspended') continue
      // It may have been resumed since.
      const record = await read(id)
      if (record.suspended !== null) return record
    }
    const record = await read(id)
    if (record.finishedAt === null) throw kernelFailure('shutting_down', { details: { execution_id: id } })
    return record
  }

  /** Undefined, and nothing is started, when this process has no free local slot. */
  async function runLocally(
    what: WhatToRun,
    localWorker: Worker,
    terminating: AbortSignal,
  ): Promise<ExecutionRecord | undefined> {
    const started = await executions.start(what, localWorker).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'no_local_slot') return undefined
      throw error
    })
    if (started === undefined) return undefined
    const { id, end } = started
    const ended = await end.then(
      () => true,
      () => false,
    )
    return ended ? await read(id) : await waitForEnd(id, terminating)
  }

  return {
    async start(request, wanted, accountId) {
      const flow = await flows.read(wanted.flowId, wanted.flowVersion)
      const id = idempotency.workIdOf(request)
      const needsApproval = flow.metadata.approval_required === true
      const what: WhatToRun = {
        id,
        flowId: flow.flowId,
        flowVersion: flow.version,
        accountId,
        priority: wanted.priority,
        input: wanted.input,
        needsApproval,
      }
      const waits = wanted.waits && !needsApproval
      const { concurrency, throttle, debounce } = flow.definition.global_configuration?.flow_control ?? {}
      const hasLimits = (concurrency ?? throttle ?? debounce) !== undefined
      const { closing } = request.server
      // A stopping process still answers the callers that wait, as long as its shutdown deadline allows.
      const terminating = request.server.terminating.signal
      // An earlier request with the same idempotency key may have started it.
      const isRepeated =
        request.headers['idempotency-key'] !== undefined && (await executions.read(id)) !== undefined
      if (!isRepeated) flows.requireEnabled(flow)
      const runsLocally = waits && worker !== undefined && !isRepeated && !hasLimits
      // Checked before a callback secret is created.
      if (!runsLocally && !isRepeated) await capacity.requireQueueCapacity(accountId)
      const plan = planCallback(
        wanted.input,
        flow.definition.global_configuration?.error_handling?.notification_on_failure,
      )
      const openFor = async (executionId: string): Promise<Callback | undefined> => {
        if (plan === undefined || wanted.webhookField === undefined) return undefined
        if (isRepeated) return { ...plan, secret: null }
        return await openCallback({ plan, field: wanted.webhookField, executionId, accountId })
      }
      const callback = await openFor(id)
      if (runsLocally) {
        const record = await runLocally(what, worker, terminating)
        if (record !== undefined) return { record, isOver: isOver(record), callback, debounced: false }
        await capacity.requireQueueCapacity(accountId)
      }
      const stored = isRepeated ? { id, debounced: false } : await executions.enqueue(what)
      if (stored.debounced) {
        if (callback !== undefined)
          await options.database.transaction((transaction) =>
            options.webhooks.closeCallbacks(transaction, id),
          )
        const record = await read(stored.id)
        return { record, isOver: false, callback: await openFor(stored.id), debounced: true }
      }
      if (!waits || (hasLimits && !(await passesGate(id, closing))))
        return { record: await read(id), isOver: false, callback, debounced: false }
      const record = await waitForEnd(id, terminating)
      return { record, isOver: isOver(record), callback, debounced: false }
    },
  }
}

/** How long a waiting caller waits at the gate of a flow, and how often it is looked at. */
const maxGatedMs = 10_000
const checkGateMs = 200

function isOver({ finishedAt }: ExecutionRecord): boolean {
  return finishedAt !== null
}

/** The address that is called about an execution, and the events it is sent. */
export interface CallbackPlan {
  readonly url: string
  readonly events: readonly string[]
}

/** An open callback. */
export interface Callback extends CallbackPlan {
  /** Null when an earlier response had it: it cannot be shown again. */
  readonly secret: string | null
}

interface CallbackOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly webhooks: Pick<Webhooks, 'openCallback' | 'closeCallbacks'>
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** The API whose events it receives. */
  readonly api: 'workflows' | 'orchestra'
}

interface CallbackRequest {
  readonly plan: CallbackPlan
  /** The request field of the URL. */
  readonly field: string
  readonly executionId: string
  readonly accountId: string
}

/**
 * Opens the callback of an execution before the execution is stored, so that no event is missed. Throws `invalid_input` for a URL
 * that may not be called.
 */
type OpenCallback = (request: CallbackRequest) => Promise<Callback>

/** Returns the function that opens callbacks for one API. */
function createCallbackOpener(options: CallbackOptions): OpenCallback {
  const { database, webhooks, outbound, api } = options
  return async ({ plan, field, executionId, accountId }) => {
    const url = await checkAddress(outbound, { account: accountId, url: plan.url, field })
    const { secret } = await database.transaction(async (transaction) => {
      // An earlier request with the same idempotency key may have opened a callback and failed: its secret is lost.
      await webhooks.closeCallbacks(transaction, executionId)
      const callback = {
        api,
        accountId,
        url,
        subject: executionId,
        events: plan.events,
      }
      return await webhooks.openCallback(transaction, callback)
    })
    return { ...plan, secret }
  }
}

/** Every problem of a URL is an invalid input, also an unknown host. */
async function checkAddress(
  outbound: Pick<Outbound, 'checkUrl'>,
  { account, url, field }: { readonly account: string; readonly url: string; readonly field: string },
): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account })
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('outbound_')) throw error
    throw invalidField({
      path: field,
      message: `cannot be called: ${error.message.replace(/\.$/, '')}`,
      code: 'webhook_url',
    })
  }
}

/** The callback in a response. The secret is shown only in the response to the request that started the execution. */
export function describeCallback(callback: Callback | undefined) {
  return {
    webhook_url: callback?.url ?? null,
    webhook_secret: callback?.secret ?? null,
    supported_events: [...(callback?.events ?? [])],
  }
}

/** The recipients of the notification about the end of an execution. */
interface NotificationPreferences {
  /** The distinct e-mail addresses. */
  readonly addresses: readonly string[]
  /** Whether to use the address of the account, because none was given. */
  readonly toAccount: boolean
  readonly slackChannel: string | undefined
}

/** Reads the recipients from the callback fields of the request. */
export function notificationPreferencesOf({
  callbacks = {},
}: Pick<ExecutionInput, 'callbacks'>): NotificationPreferences {
  const {
    notification_email: notification,
    email_on_completion: completion,
    slack_channel: channel,
  } = callbacks
  const given = [notification, completion].filter((value) => typeof value === 'string' && value !== '')
  const byName = new Map((given as string[]).map((address) => [address.toLowerCase(), address]))
  return {
    addresses: [...byName.values()],
    toAccount: completion === true && byName.size === 0,
    slackChannel: typeof channel === 'string' && channel !== '' ? channel : undefined,
  }
}

/** Whether a notification is requested on a configured channel. */
export function hasNotifications(input: Pick<ExecutionInput, 'callbacks'>, configured: Configured): boolean {
  const { addresses, toAccount, slackChannel } = notificationPreferencesOf(input)
  return (
    (configured.mail && (toAccount || addresses.length > 0)) ||
    (configured.slack && slackChannel !== undefined)
  )
}

/** Whether failures are reported: by the request, else by the flow, else yes. */
export function reportsFailure(
  { options }: Pick<ExecutionInput, 'options'>,
  flowReportsFailure: boolean | undefined,
): boolean {
  return options.error_handling?.notification_on_failure ?? flowReportsFailure ?? true
}

/** Whether the callback receives progress events; yes unless the request disables them. */
export function reportsProgress({
  callbacks,
  options,
}: Pick<ExecutionInput, 'callbacks' | 'options'>): boolean {
  return callbacks?.['progress_callbacks'] !== false && options.monitoring?.send_progress_updates !== false
}

const millisecondsIn = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** The interval of progress events; undefined when they follow the steps or are disabled. */
export function progressIntervalMs(input: Pick<ExecutionInput, 'callbacks' | 'options'>): number | undefined {
  const { webhook_url: url, progress_interval: interval } = input.callbacks ?? {}
  if (url === undefined || !reportsProgress(input)) return undefined
  if (typeof interval === 'number') return interval * 1000
  const [, amount, unit] = /^(\d+)([smh])$/.exec(String(interval)) ?? []
  return unit === undefined ? undefined : Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn]
}

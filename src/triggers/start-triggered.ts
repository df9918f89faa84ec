import { derivedExecutionId, type Engine, StepFailure } from '#engine'
import type { Identity } from '#identity'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Limiter } from '#kernel/limits'
import { triggersFailure } from './errors.ts'
import { fillTemplates, type Source } from './mapping.ts'
import type { Delivery, Trigger, TriggerSignal } from './trigger.ts'

/** Requests and events of a trigger, and of all triggers of an account, in a minute. */
const [maxPerTrigger, maxPerAccount] = [60, 600]

/** As events that are sent by a request. */
const maxSignalBytes = 256 * 1024
const defaultTtlSeconds = 7 * 86_400

/** Executions that start each other by event triggers. */
const maxDepth = 5

export interface TriggerStarterOptions {
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity' | 'events' | 'expressions'>
  readonly accountStatusOf: Identity['accountStatusOf']
  readonly limiter: Pick<Limiter, 'take'>
}

/** What a delivery led to. */
export type TriggerResult =
  | { readonly outcome: 'started'; readonly executionId: string }
  | { readonly outcome: 'signalled'; readonly eventId: string }

interface Triggered {
  readonly trigger: Trigger
  readonly delivery: Pick<Delivery, 'id' | 'receivedAt'>
  /** What the templates read. */
  readonly source: Source
  /** How many executions started each other before this one. */
  readonly depth: number
  /** A further permission that the account needs, besides the one to run flows. */
  readonly permission?: string | undefined
}

/** Starts the executions of triggers. */
export interface TriggerStarter {
  /** Counts a request or an event. Throws `too_many_requests`. */
  requireRate(trigger: Trigger): Promise<void>
  /** Whether a request or an event passes the filter. Throws `filter_failed` and `overloaded`. */
  passesFilter(trigger: Trigger, source: Source): Promise<boolean>
  /**
   * Queues the execution of a delivery, or sends its event. Their ids are derived from the delivery: a delivery that is handled twice, also
   * after a crash, starts one execution and sends one event. Throws `trigger_gone`, `flow_disabled`, `trigger_loop`, `trigger_input_too_large`,
   * `signal_key_invalid`, `queue_full`, `too_many_events`, and what a start fails with because of the limits of its flow.
   */
  run(triggered: Triggered): Promise<TriggerResult>
  /** The result of a delivery that was handled before; undefined when it led to nothing. */
  resultOf(trigger: Trigger, delivery: Delivery): TriggerResult | undefined
}

export function createTriggerStarter(options: TriggerStarterOptions): TriggerStarter {
  const { accountStatusOf, limiter } = options
  const { executions, flows, capacity, events, expressions } = options.engine

  async function requireAccount({ accountId }: Trigger, permission: string | undefined): Promise<void> {
    const status = await accountStatusOf(accountId)
    const isAllowed =
      status?.disabled === false &&
      status.permissions.has('run workflows') &&
      (permission === undefined || status.permissions.has(permission))
    if (isAllowed) return
    throw triggersFailure('trigger_gone', { message: 'The account of this trigger may not run it any more.' })
  }

  async function requireFlow({ flowId, flowVersion }: Trigger) {
    const flow = flowId === null ? undefined : await flows.find(flowId, flowVersion ?? undefined)
    if (flow !== undefined) {
      flows.requireEnabled(flow)
      return flow
    }
    throw triggersFailure('trigger_gone', { message: 'The flow of this trigger does not exist any more.' })
  }

  async function requireRate({ id, accountId }: Trigger): Promise<void> {
    const limits = [
      { key: `trigger ${id}`, limit: maxPerTrigger, whose: 'This trigger has' },
      { key: `triggers of ${accountId}`, limit: maxPerAccount, whose: 'The triggers of this account have' },
    ]
    // One after the other: what its own limit refuses does not use up the limit of the account.
    for (const { key, limit, whose } of limits) {
      const { allowed, secondsLeft } = await limiter.take(key, { windowSeconds: 60, limit })
      if (allowed) continue
      throw kernelFailure('too_many_requests', {
        message: `${whose} reached the limit of ${limit} requests and events per minute.`,
        details: { limit, window_seconds: 60 },
        retryAfterSeconds: Math.max(1, Math.ceil(secondsLeft)),
      })
    }
  }

  async function start({ trigger, delivery, source, depth }: Triggered): Promise<TriggerResult> {
    const flow = await requireFlow(trigger)
    await capacity.requireQueueCapacity(trigger.accountId)
    const context = fillTemplates(trigger.settings.input, source) as Readonly<Record<string, unknown>>
    const { id } = await executions.enqueue({
      id: derivedExecutionId(delivery.receivedAt, `trigger ${trigger.id} ${delivery.id}`),
      flowId: flow.flowId,
      flowVersion: flow.version,
      accountId: trigger.accountId,
      priority: trigger.priority,
      input: { context, options: {}, memory: {}, ...(depth > 0 && { trigger_depth: depth }) },
      needsApproval: flow.metadata.approval_required === true,
      triggerId: trigger.id,
    })
    return { outcome: 'started', executionId: id }
  }

  async function signal(
    { trigger, delivery, source }: Triggered,
    { event: name, correlation_key: template, ttl = defaultTtlSeconds }: TriggerSignal,
  ): Promise<TriggerResult> {
    const key = keyOf(fillTemplates(template, source))
    const data = fillTemplates(trigger.settings.input, source)
    if (Buffer.byteLength(JSON.stringify(data)) > maxSignalBytes)
      throw triggersFailure('trigger_input_too_large', { details: { limit: maxSignalBytes } })
    const id = eventIdOf(trigger, delivery)
    await events.send({ id, accountId: trigger.accountId, name, key, data, ttlMs: ttl * 1000 })
    return { outcome: 'signalled', eventId: id }
  }

  return {
    requireRate,
    async passesFilter({ settings, accountId }, source) {
      const { filter } = settings
      if (filter === undefined) return true
      try {
        return await expressions.holds({ condition: filter, variables: source, accountId })
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        throw triggersFailure('filter_failed', { message: error.message, cause: error })
      }
    },
    async run(triggered) {
      const { trigger, depth, permission } = triggered
      if (depth > maxDepth) throw triggersFailure('trigger_loop', { details: { depth, limit: maxDepth } })
      await requireAccount(trigger, permission)
      return trigger.settings.signal === undefined
        ? await start(triggered)
        : await signal(triggered, trigger.settings.signal)
    },
    resultOf(trigger, delivery) {
      if (delivery.outcome === 'signalled')
        return { outcome: 'signalled', eventId: eventIdOf(trigger, delivery) }
      return delivery.outcome === 'started' && delivery.executionId !== null
        ? { outcome: 'started', executionId: delivery.executionId }
        : undefined
    },
  }
}

function eventIdOf({ id }: Trigger, delivery: Pick<Delivery, 'id' | 'receivedAt'>): string {
  return derivedExecutionId(delivery.receivedAt, `signal ${id} ${delivery.id}`)
}

/** As `POST /events` accepts it. */
function keyOf(filled: unknown): string {
  const key = typeof filled === 'number' ? String(filled) : filled
  if (typeof key === 'string' && key.length <= 200 && /^\S(.*\S)?$/.test(key)) return key
  throw triggersFailure('signal_key_invalid')
}

/** Why a delivery started nothing; undefined for an error that may be transient or is a bug. */
export function refusalOf(error: unknown): { readonly code: string; readonly message: string } | undefined {
  if (!(error instanceof Failure)) return undefined
  return { code: error.code, message: error.message }
}

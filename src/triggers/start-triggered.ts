import { derivedExecutionId, type Engine } from '#engine'
import type { Identity } from '#identity'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Limiter } from '#kernel/limits'
import { triggersFailure } from './errors.ts'
import { fillTemplates, type Source } from './mapping.ts'
import type { Delivery, Trigger } from './trigger.ts'

/** Requests and events of a trigger, and of all triggers of an account, in a minute. */
const [maxPerTrigger, maxPerAccount] = [60, 600]

/** Executions that start each other by event triggers. */
const maxDepth = 5

export interface TriggerStarterOptions {
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity'>
  readonly accountStatusOf: Identity['accountStatusOf']
  readonly limiter: Pick<Limiter, 'take'>
}

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
  /**
   * Queues the execution of a delivery, and returns its id. The id is derived from the delivery: a delivery that is handled twice, also
   * after a crash, starts one execution. Throws `trigger_gone`, `trigger_loop`, `trigger_input_too_large` and `queue_full`.
   */
  start(triggered: Triggered): Promise<string>
}

export function createTriggerStarter(options: TriggerStarterOptions): TriggerStarter {
  const { accountStatusOf, limiter } = options
  const { executions, flows, capacity } = options.engine

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
    const flow = await flows.find(flowId, flowVersion ?? undefined)
    if (flow !== undefined) return flow
    throw triggersFailure('trigger_gone', { message: 'The flow of this trigger does not exist any more.' })
  }

  async function requireRate({ id, accountId }: Trigger): Promise<void> {
    const minute = { windowSeconds: 60 }
    const taken = [
      await limiter.take(`trigger ${id}`, { ...minute, limit: maxPerTrigger }),
      await limiter.take(`triggers of ${accountId}`, { ...minute, limit: maxPerAccount }),
    ].find(({ allowed }) => !allowed)
    if (taken === undefined) return
    throw kernelFailure('too_many_requests', {
      message: `This trigger has reached its limit of ${taken.limit} requests per minute.`,
      details: { limit: taken.limit, window_seconds: 60 },
      retryAfterSeconds: Math.max(1, Math.ceil(taken.secondsLeft)),
    })
  }

  async function start({ trigger, delivery, source, depth, permission }: Triggered): Promise<string> {
    if (depth > maxDepth) throw triggersFailure('trigger_loop', { details: { depth, limit: maxDepth } })
    await requireAccount(trigger, permission)
    const flow = await requireFlow(trigger)
    await capacity.requireQueueCapacity()
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
    return id
  }

  return { requireRate, start }
}

/** Why a delivery started nothing; undefined for an error that may be transient or is a bug. */
export function refusalOf(error: unknown): { readonly code: string; readonly message: string } | undefined {
  if (!(error instanceof Failure)) return undefined
  return { code: error.code, message: error.message }
}

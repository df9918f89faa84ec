import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { StoredEvent } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import { closeDelivery, openDelivery } from '../deliveries.ts'
import { triggersFailure } from '../errors.ts'
import { refusalOf, type TriggerStarter } from '../start-triggered.ts'
import { recordOutcome } from '../store.ts'
import type { DeliveryOutcome, Trigger } from '../trigger.ts'
import type { Delay } from './delayed-events.ts'
import type { EventSource } from './event-source.ts'
import { isEndEvent, logPermission } from './event-types.ts'

export interface HandleEventOptions {
  readonly database: Pick<Database, 'query'>
  readonly starter: TriggerStarter
  readonly log: Logger
}

/** Why an event is handled later. */
export interface Later extends Delay {
  /** Handling it failed. Otherwise a limit of this moment keeps it back. */
  readonly isFailure: boolean
}

interface EventState {
  /** The state of its delivery. */
  readonly known: DeliveryOutcome | undefined
  /** Whether earlier events of the trigger are delayed. */
  readonly isBehind: boolean
}

/**
 * Handles an event for one trigger: starts its flow or sends its event, once. Returns why it has to be handled later; undefined when it is
 * done, also when it is refused. Throws `database_unavailable`.
 */
export type HandleEvent = (
  trigger: Trigger,
  source: EventSource,
  state: EventState,
) => Promise<Later | undefined>

/** The delay of an event behind delayed ones is theirs. */
const behind: Later = {
  error: { code: 'too_many_requests', message: 'Earlier events of this trigger are delayed.' },
  delayMs: 0,
  isFailure: false,
}

export function createHandleEvent({ database, starter, log }: HandleEventOptions): HandleEvent {
  async function handle(
    trigger: Trigger,
    { event, deliveryId, of }: EventSource,
    { known, isBehind }: EventState,
  ): Promise<Later | undefined> {
    if (!trigger.enabled) throw triggersFailure('trigger_disabled')
    const source = await of(trigger)
    if (!(await starter.passesFilter(trigger, source))) {
      if (known !== undefined) await closeDelivery(database, trigger.id, deliveryId, { outcome: 'ignored' })
      return undefined
    }
    if (isBehind) return behind
    // A received one was counted before its process crashed.
    if (known !== 'received') await starter.requireRate(trigger)
    await openDelivery(database, trigger.id, { id: deliveryId, source })
    const result = await starter.run({
      trigger,
      delivery: { id: deliveryId, receivedAt: event.createdAt },
      source,
      depth: depthOf(event) + 1,
      permission: isEndEvent(event.type) ? undefined : logPermission,
    })
    await closeDelivery(database, trigger.id, deliveryId, result)
    return undefined
  }

  return async (trigger, source, state) => {
    try {
      return await handle(trigger, source, state)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      const about = { err: error, trigger: trigger.id, event: source.event.id }
      const later = laterOf(error)
      if (later?.isFailure === true) log.error(about, 'handling an event for a trigger failed')
      else if (later === undefined) {
        log.info(about, 'an event trigger started nothing')
        await refuseEvent(database, trigger.id, source.deliveryId, error)
      }
      return later
    }
  }
}

/** An event without a delivery, such as one whose filter failed, is counted at its trigger only. */
export async function refuseEvent(
  database: Pick<Database, 'query'>,
  triggerId: string,
  deliveryId: string,
  error: unknown,
): Promise<void> {
  const refusal = refusalOf(error)
  if (refusal === undefined) throw error
  const end = { outcome: 'refused', error: refusal } as const
  if (!(await closeDelivery(database, triggerId, deliveryId, end)))
    await recordOutcome(database, triggerId, end)
}

/** Limits of this moment. Everything else that the server is the cause of counts as a failure. */
const passing: ReadonlySet<string> = new Set([
  'too_many_requests',
  'queue_full',
  'overloaded',
  'shutting_down',
])

/** Undefined: it is refused, because the trigger, its flow or its account do not allow it. */
function laterOf(error: unknown): Later | undefined {
  const failure = error instanceof Failure ? error : triggersFailure('event_failed')
  const isFailure = !passing.has(failure.code)
  if (isFailure && failure.status < 500) return undefined
  const { code, message, retryAfterSeconds = 1 } = failure
  return { error: { code, message }, delayMs: retryAfterSeconds * 1000, isFailure }
}

function depthOf({ data }: StoredEvent): number {
  const depth = data['trigger_depth']
  return typeof depth === 'number' ? depth : 0
}

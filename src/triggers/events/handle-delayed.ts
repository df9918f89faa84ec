import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Events, StoredEvent } from '#kernel/events'
import { triggersFailure } from '../errors.ts'
import type { Trigger } from '../trigger.ts'
import { delayFurther, endDelay, findDue, readFirstDelayed } from './delayed-events.ts'
import { createEventSource, eventIdOf } from './event-source.ts'
import type { FollowerRow } from './followers.ts'
import { type HandleEvent, refuseEvent } from './handle-event.ts'

export interface HandleDelayedOptions {
  readonly database: Pick<Database, 'query'>
  readonly events: Pick<Events, 'read'>
  readonly engine: Pick<Engine, 'executions'>
  readonly handleEvent: HandleEvent
}

/** Handling an event for a trigger is given up after as many failures, about a minute after the first. */
const maxAttempts = 6

/** Handles the delayed events of an account that are due, those of each trigger in order, until one is delayed further or the time is over. */
type HandleDelayed = (
  follower: FollowerRow,
  triggers: readonly Trigger[],
  isOver: () => boolean,
) => Promise<void>

export function createHandleDelayed({
  database,
  events,
  engine,
  handleEvent,
}: HandleDelayedOptions): HandleDelayed {
  /** Returns whether the next delayed event of the trigger can be handled. */
  async function handleFirst(trigger: Trigger): Promise<boolean> {
    const first = await readFirstDelayed(database, trigger.id)
    if (first === undefined) {
      await endDelay(database, trigger.id)
      return false
    }
    const refuse = (code: 'event_gone' | 'event_failed') =>
      refuseEvent(database, trigger.id, first.deliveryId, triggersFailure(code))
    const event = await readEvent(eventIdOf(first.deliveryId))
    if (event === undefined) {
      await refuse('event_gone')
      return true
    }
    const source = createEventSource(engine, event)
    const later = await handleEvent(trigger, source, { known: 'delayed', isBehind: false })
    if (later === undefined) return true
    const attempts = first.attempts + (later.isFailure ? 1 : 0)
    if (attempts >= maxAttempts) {
      await refuse('event_failed')
      return true
    }
    const delayMs = later.isFailure ? 2 ** attempts * 1000 : later.delayMs
    await delayFurther(database, trigger.id, { ...first, attempts }, { ...later, delayMs })
    return false
  }

  async function readEvent(id: number): Promise<StoredEvent | undefined> {
    const [event] = (await events.read({ after: id - 1, limit: 1 })).events
    return event?.id === id ? event : undefined
  }

  return async ({ account_id: accountId }, triggers, isOver) => {
    const due = await findDue(database, accountId)
    for (const trigger of triggers.filter(({ id }) => due.has(id))) {
      while (await handleFirst(trigger)) if (isOver()) return
      if (isOver()) return
    }
  }
}

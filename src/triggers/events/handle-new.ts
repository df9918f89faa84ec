import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Events, StoredEvent } from '#kernel/events'
import { readOutcomes } from '../deliveries.ts'
import { triggersFailure } from '../errors.ts'
import type { Trigger } from '../trigger.ts'
import { addDelayed, maxDelayed } from './delayed-events.ts'
import { createEventSource } from './event-source.ts'
import { isEndEvent } from './event-types.ts'
import type { FollowerRow, Position } from './followers.ts'
import { type HandleEvent, type Later, refuseEvent } from './handle-event.ts'

export interface HandleNewOptions {
  readonly database: Pick<Database, 'query'>
  readonly events: Pick<Events, 'read'>
  readonly engine: Pick<Engine, 'executions'>
  readonly handleEvent: HandleEvent
}

const pageSize = 50

/** Handles the open events of an account until its time is over. Returns how far it came. */
type HandleNew = (
  follower: FollowerRow,
  triggers: readonly Trigger[],
  isOver: () => boolean,
) => Promise<Position>

export function createHandleNew({ database, events, engine, handleEvent }: HandleNewOptions): HandleNew {
  /** The next open events: ends of the account's own executions, and events of the log. */
  async function readPage(
    { account_id: account, last_event: last }: FollowerRow,
    after: number,
    types: readonly string[],
  ): Promise<readonly StoredEvent[]> {
    const { ends = [], log = [] } = Object.groupBy(types, (type) => (isEndEvent(type) ? 'ends' : 'log'))
    const read = async (filter: { readonly account?: string; readonly types: readonly string[] }) =>
      filter.types.length === 0 ? [] : (await events.read({ after, limit: pageSize, ...filter })).events
    const [own, others] = await Promise.all([read({ account, types: ends }), read({ types: log })])
    // In one order, and not past the end of the one that has more.
    const page = [...own, ...others].sort((one, other) => one.id - other.id).slice(0, pageSize)
    // Later ones wake the follower again.
    return page.filter(({ id }) => id <= last)
  }

  /** Handles an event for triggers, by their ids. Returns the last one when the time is over before the others. */
  async function handleForAll(
    event: StoredEvent,
    triggers: readonly Trigger[],
    delaying: Set<string>,
    isOver: () => boolean,
  ): Promise<string | null> {
    const source = createEventSource(engine, event)
    const ids = triggers.map(({ id }) => id)
    const outcomes = await readOutcomes(database, source.deliveryId, ids)
    for (const trigger of triggers) {
      const { id } = trigger
      const known = outcomes.get(id)
      if (known === undefined || known === 'received') {
        const later = await handleEvent(trigger, source, { known, isBehind: delaying.has(id) })
        if (later !== undefined && (await delay(id, source.deliveryId, later))) delaying.add(id)
      }
      if (isOver() && id !== ids.at(-1)) return id
    }
    return null
  }

  /** Returns whether it is delayed. */
  async function delay(
    triggerId: string,
    deliveryId: string,
    { isFailure, ...delayed }: Later,
  ): Promise<boolean> {
    if (await addDelayed(database, triggerId, deliveryId, { ...delayed, attempts: isFailure ? 1 : 0 }))
      return true
    const tooMany = triggersFailure('too_many_delayed', { details: { limit: maxDelayed } })
    await refuseEvent(database, triggerId, deliveryId, tooMany)
    return false
  }

  return async (follower, triggers, isOver) => {
    const { position, last_event: last, last_trigger: from } = follower
    const types = [
      ...new Set(triggers.flatMap(({ enabled, settings }) => (enabled ? (settings.events ?? []) : []))),
    ]
    const delaying = new Set(triggers.flatMap(({ id, delayedUntil }) => (delayedUntil === null ? [] : [id])))
    for (let handled = position; handled < last; ) {
      const page = await readPage(follower, handled, types)
      if (page.length === 0) break
      for (const event of page) {
        const isBegun = event.id === position + 1 && from !== null
        const waiting = triggers.filter(
          (trigger) => waitsFor(trigger, event) && !(isBegun && trigger.id <= from),
        )
        const lastTrigger = await handleForAll(event, waiting, delaying, isOver)
        if (lastTrigger !== null) return { position: event.id - 1, lastTrigger }
        handled = event.id
        if (isOver()) return { position: handled, lastTrigger: null }
      }
    }
    return { position: last, lastTrigger: null }
  }
}

/** A trigger waits for events since its creation. */
function waitsFor({ enabled, settings, createdAt }: Trigger, { type, createdAt: at }: StoredEvent): boolean {
  return enabled && settings.events?.includes(type) === true && createdAt <= at
}

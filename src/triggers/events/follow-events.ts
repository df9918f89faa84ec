import type { Engine } from '#engine'
import { responses } from '#executions-api'
import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Events, StoredEvent } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { closeDelivery, openDelivery } from '../deliveries.ts'
import { filterReads, readsPath, type Source } from '../mapping.ts'
import { refusalOf, type TriggerStarter } from '../start-triggered.ts'
import { findEventTypes, findForEvent, recordOutcome } from '../store.ts'
import type { Trigger } from '../trigger.ts'

/** The ends of executions. A trigger receives those of its own account. */
export const endEventTypes = [
  'flow.execution.completed',
  'flow.execution.failed',
  'flow.execution.cancelled',
] as const

/** All other events are those of the event log, which this permission may read. */
export const logPermission = 'administer llm'

export interface FollowEventsOptions {
  readonly database: Pick<Database, 'query'>
  readonly events: Pick<Events, 'read' | 'lastId'>
  readonly engine: Pick<Engine, 'executions'>
  readonly starter: TriggerStarter
  readonly log: Logger
}

const pageSize = 200

export function isEndEvent(type: string): boolean {
  return (endEventTypes as readonly string[]).includes(type)
}

/**
 * Starts the flows of event triggers. One replica at a time reads the event log after a stored cursor. An event that is read twice, after
 * a crash, starts nothing twice: the delivery and the execution have ids of the event.
 */
export function createEventTask(options: FollowEventsOptions): RecurringTask {
  const { database, events, engine, starter, log } = options

  async function readCursor(): Promise<number | null> {
    const [row] = await database.query<{ position: number | null }>(
      'select position from trigger_event_cursor',
    )
    return row?.position ?? null
  }

  const moveCursor = (position: number) =>
    database.query('update trigger_event_cursor set position = $1', [position])

  /** Reads a page of events. Returns whether there may be more. */
  async function readPage(): Promise<boolean> {
    // Before the page: events between both belong to the next one.
    const last = await events.lastId()
    const cursor = await readCursor()
    if (cursor === last) return false
    const types = cursor === null ? [] : await findEventTypes(database)
    // A new installation, or one whose log was restored, does not start with old events.
    if (cursor === null || cursor > last || types.length === 0) {
      await moveCursor(last)
      return false
    }
    const { events: page } = await events.read({ after: cursor, limit: pageSize, types })
    for (const event of page) {
      for (const trigger of await findForEvent(database, event)) await handle(trigger, event)
    }
    const isFull = page.length === pageSize
    await moveCursor(isFull ? (page.at(-1)?.id ?? last) : Math.max(last, page.at(-1)?.id ?? 0))
    return isFull
  }

  async function handle(trigger: Trigger, event: StoredEvent): Promise<void> {
    if (isEndEvent(event.type) && event.account !== trigger.accountId) return
    const source = await sourceOf(trigger, event)
    const id = `event:${event.id}`
    let isOpen = false
    try {
      if (!(await starter.passesFilter(trigger, source))) return
      await starter.requireRate(trigger)
      const delivery = await openDelivery(database, trigger.id, { id, source })
      if (delivery.outcome !== 'received') return
      isOpen = true
      const result = await starter.run({
        trigger,
        delivery: { id, receivedAt: event.createdAt },
        source,
        depth: depthOf(event) + 1,
        permission: isEndEvent(event.type) ? undefined : logPermission,
      })
      await closeDelivery(database, trigger.id, id, result)
    } catch (error) {
      const refusal = refusalOf(error)
      // The queue is full or the database unavailable: the next run reads the event again.
      if (refusal === undefined || (error instanceof Failure && error.status >= 500)) throw error
      log.warn({ trigger: trigger.id, code: refusal.code }, 'an event trigger started nothing')
      const end = { outcome: 'refused', error: refusal } as const
      // An event beyond the rate has no delivery.
      if (isOpen) await closeDelivery(database, trigger.id, id, end)
      else await recordOutcome(database, trigger.id, end)
    }
  }

  /** The event, and for the end of an execution its result where the trigger reads it. */
  async function sourceOf({ settings }: Trigger, event: StoredEvent): Promise<Source> {
    const { id, type, subject, data, createdAt } = event
    const described = { ...data, id, type, subject, created_at: createdAt.toISOString() }
    const readsResult =
      readsPath([settings.input, settings.signal?.correlation_key ?? ''], 'event.result') ||
      filterReads(settings.filter, ['event', 'result'])
    if (!isEndEvent(type) || !readsResult || subject === null) return { event: described }
    const record = await engine.executions.read(subject)
    return {
      event: { ...described, result: record === undefined ? null : responses.describeResult(record) },
    }
  }

  return {
    name: 'triggers.events',
    everyMs: 1000,
    async run(signal) {
      while (!signal.aborted && (await readPage()));
    },
  }
}

function depthOf({ data }: StoredEvent): number {
  const depth = data['trigger_depth']
  return typeof depth === 'number' ? depth : 0
}

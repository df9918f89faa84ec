import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Events } from '#kernel/events'
import type { Limiter } from '#kernel/limits'
import type { Logger } from '#kernel/telemetry'
import type { AnyQueueRegistration, RecurringTask } from '#kernel/work'
import { closeDelivery, createPruneTask, listDeliveries, openDelivery, readDelivery } from './deliveries.ts'
import { triggersFailure } from './errors.ts'
import { endEventTypes } from './events/event-types.ts'
import { serveFollowers } from './events/follow-events.ts'
import { createWakeTask } from './events/wake-task.ts'
import { changedChannel, createTriggerManager, type TriggerManager } from './manage.ts'
import type { Source } from './mapping.ts'
import { createReceiveRequest, findHook, type ReceiveRequest } from './receive-request.ts'
import { createTriggerStarter, type TriggerResult } from './start-triggered.ts'
import { hasTriggersForEnds, listTriggers, readTrigger, type TriggerFilter } from './store.ts'
import type { Delivery, Trigger } from './trigger.ts'

/** Starts executions for requests to URLs, and for events of the platform. */
export interface Triggers extends TriggerManager {
  read(id: string): Promise<Trigger | undefined>
  list(filter: TriggerFilter): ReturnType<typeof listTriggers>
  /** The newest deliveries first. */
  deliveries(
    triggerId: string,
    page: { readonly limit: number; readonly offset: number },
  ): ReturnType<typeof listDeliveries>
  /**
   * Starts the flow, or sends the event, again with the request of a delivery, as the trigger is now. Throws `delivery_not_found`, `delivery_not_kept`, and
   * what a request fails with.
   */
  replay(
    trigger: Trigger,
    deliveryId: string,
    replayId: string,
  ): Promise<{ readonly deliveryId: string; readonly result: TriggerResult }>
  /** Throws `hook_not_found` unless a URL is that of an enabled webhook. */
  requireHook(token: string): Promise<void>
  /** Handles a request to the URL of a trigger. Throws the failure for the sender. */
  readonly receive: ReceiveRequest
  /** The events of the log, for the worker of this process. */
  readonly queue: AnyQueueRegistration
  readonly tasks: readonly RecurringTask[]
}

export interface TriggersOptions {
  readonly database: Pick<Database, 'query' | 'transaction' | 'clock'>
  readonly encryption: Pick<Encryption, 'encrypt' | 'decrypt'>
  readonly events: Pick<Events, 'read' | 'lastId' | 'appendWithin'>
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity' | 'events' | 'expressions'>
  readonly limiter: Pick<Limiter, 'take'>
  readonly accountStatusOf: Identity['accountStatusOf']
  /** The types of the event log that triggers may follow. */
  readonly eventTypes: readonly string[]
  readonly log: Logger
  /** How long the events of an account are handled in a turn. Default: 250 ms. */
  readonly turnMs?: number | undefined
}

/** Creates the module: its queue goes to the worker, its tasks to the scheduler. */
export function createTriggers(options: TriggersOptions): Triggers {
  const { database } = options
  const starter = createTriggerStarter(options)

  async function requireKept(triggerId: string, deliveryId: string): Promise<Delivery & { request: string }> {
    const delivery = await readDelivery(database, triggerId, deliveryId)
    if (delivery === undefined) throw triggersFailure('delivery_not_found')
    if (delivery.request === null) throw triggersFailure('delivery_not_kept')
    return { ...delivery, request: delivery.request }
  }

  return {
    ...createTriggerManager(options),
    read: (id) => readTrigger(database, id),
    list: (filter) => listTriggers(database, filter),
    deliveries: (triggerId, page) => listDeliveries(database, triggerId, page),
    async replay(trigger, deliveryId, replayId) {
      const { request } = await requireKept(trigger.id, deliveryId)
      await starter.requireRate(trigger)
      const source = JSON.parse(request) as Source
      const id = `replay:${replayId}`
      const delivery = await openDelivery(database, trigger.id, { id, source })
      const known = starter.resultOf(trigger, delivery)
      if (known !== undefined) return { deliveryId: id, result: known }
      const result = await starter.run({ trigger, delivery, source, depth: 0 })
      await closeDelivery(database, trigger.id, id, result)
      return { deliveryId: id, result }
    },
    async requireHook(token) {
      await findHook(database, token)
    },
    receive: createReceiveRequest({ ...options, starter }),
    queue: serveFollowers({ ...options, starter }),
    tasks: [createWakeTask(options), createPruneTask(database)],
  }
}

/** Finds the accounts whose executions start flows when they end, for the publisher of these events. */
export interface EndLookup {
  /** Throws `database_unavailable`. */
  startsFlows(accountId: string): Promise<boolean>
  /**
   * Invokes the callback with the account of each trigger that changes in any process, and with undefined after a lost connection, when some
   * may have been missed. Throws `database_unavailable`.
   */
  onChanged(callback: (accountId: string | undefined) => void): Promise<AsyncDisposable>
}

/** Never throws. */
export function createEndLookup(database: Pick<Database, 'query' | 'listen'>): EndLookup {
  return {
    startsFlows: (accountId) => hasTriggersForEnds(database, accountId, endEventTypes),
    onChanged: (callback) => database.listen(changedChannel, callback, () => callback(undefined)),
  }
}

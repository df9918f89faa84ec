import type { FastifyRequest } from 'fastify'
import type { EventData, Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { ClusterControl } from '../control/control.ts'

/** The event types of operator actions. */
export const operatorEventTypes = [
  'cluster.node_added',
  'cluster.node_drained',
  'cluster.node_removed',
  'cluster.node_resumed',
  'cluster.node_weighed',
  'cluster.strategy_changed',
] as const

type OperatorEventType = (typeof operatorEventTypes)[number]

interface Operation {
  readonly type: OperatorEventType
  /** The id of the node; null for all nodes. */
  readonly subject: string | null
  readonly data: EventData
}

interface RecordOptions {
  readonly events: Pick<Events, 'append'>
  readonly log: Logger
  readonly request: FastifyRequest
}

/** Adds an operator event to each change. */
export function recordOperations(
  control: ClusterControl,
  { events, log, request }: RecordOptions,
): ClusterControl {
  async function record(operation: Operation): Promise<void> {
    const { type, subject, data } = operation
    const userAgent = request.headers['user-agent']?.slice(0, 512) ?? null
    const event = {
      type,
      subject,
      account: null,
      data: { ...data, by: request.principal.id, ip: request.ip, user_agent: userAgent },
    }
    // The change has succeeded: an event that cannot be stored is only logged.
    await events
      .append(event)
      .catch((error: unknown) => log.error({ err: error, event }, 'operator event could not be stored'))
  }

  return {
    ...control,
    async add(node) {
      const added = await control.add(node)
      const { id, url, weight } = added
      await record({ type: 'cluster.node_added', subject: id, data: { name: url, weight } })
      return added
    },
    async change(id, changes) {
      const before = await control.look(id)
      const after = await control.change(id, changes)
      if (after.weight !== before.weight) {
        const data = { name: after.url, from: before.weight, to: after.weight }
        await record({ type: 'cluster.node_weighed', subject: id, data })
      }
      if (isDraining(after) !== isDraining(before)) {
        const type = isDraining(after) ? 'cluster.node_drained' : 'cluster.node_resumed'
        await record({ type, subject: id, data: { name: after.url } })
      }
      return after
    },
    async remove(id) {
      const { url } = await control.look(id)
      await control.remove(id)
      await record({ type: 'cluster.node_removed', subject: id, data: { name: url } })
    },
    async setStrategy(strategy) {
      const { strategy: from } = await control.strategy()
      const response = await control.setStrategy(strategy)
      if (from !== strategy) {
        const data = { name: strategy, from, to: strategy }
        await record({ type: 'cluster.strategy_changed', subject: null, data })
      }
      return response
    },
  }
}

function isDraining({ status }: { readonly status: string }): boolean {
  return status === 'draining'
}

import type { Engine } from '#engine'
import { responses } from '#executions-api'
import type { StoredEvent } from '#kernel/events'
import { filterReads, readsPath, type Source } from '../mapping.ts'
import type { Trigger, TriggerSettings } from '../trigger.ts'
import { isEndEvent } from './event-types.ts'

/** An event with what templates and filters read of it. */
export interface EventSource {
  readonly event: StoredEvent
  /** The id of its delivery, for each trigger. */
  readonly deliveryId: string
  /** For the end of an execution with its result, where the trigger reads it. The result is read once for all triggers. */
  readonly of: (trigger: Trigger) => Promise<Source>
}

const deliveryPrefix = 'event:'

export function createEventSource(engine: Pick<Engine, 'executions'>, event: StoredEvent): EventSource {
  const { id, type, subject, data, createdAt } = event
  const described = { ...data, id, type, subject, created_at: createdAt.toISOString() }
  let withResult: Promise<Source> | undefined

  async function readResult(executionId: string): Promise<Source> {
    const record = await engine.executions.read(executionId)
    return {
      event: { ...described, result: record === undefined ? null : responses.describeResult(record) },
    }
  }

  return {
    event,
    deliveryId: `${deliveryPrefix}${id}`,
    async of({ settings }) {
      if (!isEndEvent(type) || subject === null || !readsResult(settings)) return { event: described }
      withResult ??= readResult(subject)
      return await withResult
    },
  }
}

/** The id of the event of a delivery. */
export function eventIdOf(deliveryId: string): number {
  return Number(deliveryId.slice(deliveryPrefix.length))
}

function readsResult({ input, signal, filter }: TriggerSettings): boolean {
  return (
    readsPath([input, signal?.correlation_key ?? ''], 'event.result') ||
    filterReads(filter, ['event', 'result'])
  )
}

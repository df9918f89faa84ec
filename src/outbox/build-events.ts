import type { Engine, ExecutionEvent, ExecutionInput, ExecutionRecord } from '#engine'
import { units } from '#executions-api'
import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type Executor, runStatement } from '#kernel/work'
import type { Wanted, WebhookEvent } from '#webhooks'
import { type EstimateExecution, type EventMapper, unknownEstimate } from './event-mapper.ts'
import type { OutboxEntry } from './outbox.ts'
import { recordAt } from './record-at.ts'
import { resultsSoFar } from './results-so-far.ts'

/** Maps outbox entries to the webhook events their subscribers want, in order for each execution. */
export type BuildEvents = (
  executor: Executor,
  outboxEntries: readonly OutboxEntry[],
  wantedOf: ReadonlyMap<string, Wanted>,
) => Promise<WebhookEvent[]>

interface BuildEventsOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly estimate: EstimateExecution
  readonly eventMappers: readonly EventMapper[]
  readonly log: Logger
}

/** Executions read concurrently, each over its own connection. */
const readAtOnce = 4

export function createBuildEvents({ engine, estimate, eventMappers, log }: BuildEventsOptions): BuildEvents {
  /** The mappers of a journal type whose event is wanted. */
  const eventMappersOf = (type: string, wanted: ReadonlySet<string>) =>
    eventMappers.filter(({ name, of }) => of.includes(type) && wanted.has(name))

  async function mapEvent(
    record: ExecutionRecord,
    event: ExecutionEvent,
    { events, fullContext, intermediateResults }: Wanted,
  ): Promise<WebhookEvent[]> {
    const mapped: WebhookEvent[] = []
    const then = recordAt(record, event)
    for (const eventMapper of eventMappersOf(event.type, events)) {
      const known = eventMapper.estimates ? await estimate(record) : unknownEstimate
      const data = eventMapper.describe({ event, record: then, estimate: known })
      if (data === undefined) continue
      mapped.push({
        event: eventMapper.name,
        ...aboutExecution(record),
        key: String(event.seq),
        at: event.at,
        data,
        ...(fullContext && { fullContext: contextOf(record.input) }),
        ...(intermediateResults && { intermediateResults: resultsSoFar(then, event) }),
      })
    }
    return mapped
  }

  async function mapOrLog(
    record: ExecutionRecord,
    event: ExecutionEvent,
    wanted: Wanted,
  ): Promise<WebhookEvent[]> {
    try {
      return await mapEvent(record, event, wanted)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // An event that cannot be mapped must not block the events of other executions.
      log.error(
        { err: error, executionId: record.id, seq: event.seq },
        'mapping an event of an execution failed, the event is skipped',
      )
      return []
    }
  }

  return async (executor, outboxEntries, wantedOf) => {
    const wantedExecutions = [...Map.groupBy(outboxEntries, ({ executionId }) => executionId)].flatMap(
      ([id, ofOne]) => {
        const wanted = wantedOf.get(id)
        if (wanted === undefined) return []
        const events = ofOne
          .flatMap((outboxEntry) => outboxEntry.events)
          .filter(({ type }) => eventMappersOf(type, wanted.events).length > 0)
        return events.length === 0 ? [] : [{ id, events, wanted }]
      },
    )
    const mapped: WebhookEvent[] = []
    let aliveAtMs = performance.now()
    /** PostgreSQL ends a transaction that is idle for ten seconds; executions are read outside of it. */
    const keepAlive = async (idleMs: number) => {
      if (performance.now() - aliveAtMs < idleMs) return
      await runStatement(executor, 'select 1', [])
      aliveAtMs = performance.now()
    }
    for (let first = 0; first < wantedExecutions.length; first += readAtOnce) {
      const some = wantedExecutions.slice(first, first + readAtOnce)
      const records = await Promise.all(some.map(({ id }) => engine.executions.read(id)))
      await keepAlive(0)
      for (const [index, { events, wanted }] of some.entries()) {
        const record = records[index]
        // The execution was deleted meanwhile.
        if (record === undefined) continue
        for (const event of events) {
          mapped.push(...(await mapOrLog(record, event, wanted)))
          await keepAlive(1000)
        }
      }
    }
    return mapped
  }
}

export function aboutExecution({ id, accountId, flowId, spent, priority }: ExecutionRecord) {
  return { subject: id, accountId, facts: { flowId, cost: units.dollars(spent), priority } }
}

/** The context as the caller sent it. */
function contextOf({ context, batch }: ExecutionInput): Readonly<Record<string, unknown>> {
  return batch === undefined ? context : { ...context, content_batch: batch.items }
}

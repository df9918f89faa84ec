import type {
  Engine,
  ExecutionEvent,
  ExecutionInput,
  ExecutionRecord,
  FlowEstimate,
  Happening,
} from '#engine'
import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type Executor, runStatement } from '#kernel/work'
import type { Wanted, WebhookEvent } from '#webhooks'
import { dollars } from '../bodies/units.ts'
import { estimateFor } from '../estimates.ts'
import { recordAt } from './record-at.ts'
import { resultsSoFar } from './results-so-far.ts'
import { createShortMemory } from './short-memory.ts'
import { nothingKnown } from './teller.ts'
import { tellersOf } from './tellers.ts'

/** What is wanted of what happened: of each execution in its order. The executor is that of the transaction it is for. */
export type BuildEvents = (
  executor: Executor,
  happenings: readonly Happening[],
  wanted: ReadonlyMap<string, Wanted>,
) => Promise<WebhookEvent[]>

interface BuildEventsOptions {
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly estimate: EstimateExecution
  readonly log: Logger
}

export type EstimateExecution = (record: ExecutionRecord) => Promise<FlowEstimate>

/** Executions that are read side by side, each over a connection of its own. */
const readAtOnce = 4

/** What executions of a flow take changes slowly. */
const keepEstimatesMs = 30_000

export function createEstimates({ history }: Pick<Engine, 'history'>): EstimateExecution {
  return createShortMemory({
    keepMs: keepEstimatesMs,
    nameOf: ({ flowId, flowVersion, input: { batch } }: ExecutionRecord) =>
      JSON.stringify([flowId, flowVersion, batch?.items.length, batch?.size, batch?.parallel]),
    ask: (record) => estimateFor({ history }, record),
  })
}

export function createBuildEvents({ engine, estimate, log }: BuildEventsOptions): BuildEvents {
  async function tell(
    record: ExecutionRecord,
    event: ExecutionEvent,
    { events, fullContext, intermediateResults }: Wanted,
  ): Promise<WebhookEvent[]> {
    const told: WebhookEvent[] = []
    const then = recordAt(record, event)
    for (const teller of tellersOf(event.type, events)) {
      const known = teller.estimates ? await estimate(record) : nothingKnown
      const data = teller.describe({ event, record: then, estimate: known })
      if (data === undefined) continue
      told.push({
        event: teller.name,
        ...aboutExecution(record),
        at: event.at,
        data,
        ...(fullContext && { fullContext: contextOf(record.input) }),
        ...(intermediateResults && { intermediateResults: resultsSoFar(then, event) }),
      })
    }
    return told
  }

  async function tellAll(
    id: string,
    events: readonly ExecutionEvent[],
    wish: Wanted,
  ): Promise<WebhookEvent[]> {
    const record = await engine.executions.read(id)
    // It was deleted meanwhile.
    if (record === undefined) return []
    const told: WebhookEvent[] = []
    for (const event of events) {
      try {
        told.push(...(await tell(record, event, wish)))
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // One that cannot be told of must not keep all others waiting.
        log.error(
          { err: error, executionId: id, seq: event.seq },
          'an event of an execution could not be told',
        )
      }
    }
    return told
  }

  return async (executor, happenings, wanted) => {
    const wishes = [...Map.groupBy(happenings, ({ executionId }) => executionId)].flatMap(([id, ofOne]) => {
      const wish = wanted.get(id)
      if (wish === undefined) return []
      const events = ofOne
        .flatMap((happening) => happening.events)
        .filter(({ type }) => tellersOf(type, wish.events).length > 0)
      return events.length === 0 ? [] : [{ id, events, wish }]
    })
    const told: WebhookEvent[] = []
    for (let first = 0; first < wishes.length; first += readAtOnce) {
      const some = wishes.slice(first, first + readAtOnce)
      const tellings = await Promise.all(some.map(({ id, events, wish }) => tellAll(id, events, wish)))
      told.push(...tellings.flat())
      // Executions are read beside the transaction, and one that is idle for too long is ended.
      await runStatement(executor, 'select 1', [])
    }
    return told
  }
}

export function aboutExecution({ id, accountId, flowId, spent, priority }: ExecutionRecord) {
  return { subject: id, accountId, facts: { flowId, cost: dollars(spent), priority } }
}

/** As the caller gave it. */
function contextOf({ context, batch }: ExecutionInput): Readonly<Record<string, unknown>> {
  return batch === undefined ? context : { ...context, content_batch: batch.items }
}

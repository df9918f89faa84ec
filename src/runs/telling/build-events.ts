import type { Engine, ExecutionEvent, ExecutionInput, ExecutionRecord, Happening } from '#engine'
import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type Executor, runStatement } from '#kernel/work'
import type { Wanted, WebhookEvent } from '#webhooks'
import { dollars } from '../reading/units.ts'
import { recordAt } from './record-at.ts'
import { resultsSoFar } from './results-so-far.ts'
import { type EstimateExecution, nothingKnown, type Teller } from './teller.ts'

/** What is wanted of what happened: of each execution in its order. The executor is that of the transaction it is for. */
export type BuildEvents = (
  executor: Executor,
  happenings: readonly Happening[],
  wanted: ReadonlyMap<string, Wanted>,
) => Promise<WebhookEvent[]>

interface BuildEventsOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly estimate: EstimateExecution
  readonly tellers: readonly Teller[]
  readonly log: Logger
}

/** Executions that are read side by side, each over a connection of its own. */
const readAtOnce = 4

export function createBuildEvents({ engine, estimate, tellers, log }: BuildEventsOptions): BuildEvents {
  /** Those who tell of this type of the journal something that is wanted. */
  const tellersOf = (type: string, wanted: ReadonlySet<string>) =>
    tellers.filter(({ name, of }) => of.includes(type) && wanted.has(name))

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
        key: String(event.seq),
        at: event.at,
        data,
        ...(fullContext && { fullContext: contextOf(record.input) }),
        ...(intermediateResults && { intermediateResults: resultsSoFar(then, event) }),
      })
    }
    return told
  }

  async function tellOrLog(
    record: ExecutionRecord,
    event: ExecutionEvent,
    wish: Wanted,
  ): Promise<WebhookEvent[]> {
    try {
      return await tell(record, event, wish)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // One that cannot be told of must not keep all others waiting.
      log.error(
        { err: error, executionId: record.id, seq: event.seq },
        'an event of an execution could not be told',
      )
      return []
    }
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
    let aliveAtMs = performance.now()
    /** Executions are read and described beside the transaction, and PostgreSQL ends one that is idle for ten seconds. */
    const keepAlive = async (idleMs: number) => {
      if (performance.now() - aliveAtMs < idleMs) return
      await runStatement(executor, 'select 1', [])
      aliveAtMs = performance.now()
    }
    for (let first = 0; first < wishes.length; first += readAtOnce) {
      const some = wishes.slice(first, first + readAtOnce)
      const records = await Promise.all(some.map(({ id }) => engine.executions.read(id)))
      await keepAlive(0)
      for (const [index, { events, wish }] of some.entries()) {
        const record = records[index]
        // It was deleted meanwhile.
        if (record === undefined) continue
        for (const event of events) {
          told.push(...(await tellOrLog(record, event, wish)))
          await keepAlive(1000)
        }
      }
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

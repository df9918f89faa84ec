import type { Engine, ExecutionEvent, ExecutionInput, ExecutionRecord } from '#engine'
import { estimates, units } from '#executions-api'
import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { Executor } from '#kernel/work'
import type { Wanted, WebhookEvent, Webhooks } from '#webhooks'
import { type EstimateExecution, type EventMapper, type Publisher, unknownEstimate } from './event-mapper.ts'
import { createKeepAlive } from './keep-alive.ts'
import type { FailedEntry, Outbox, OutboxEntry } from './outbox.ts'
import { recordAt } from './record-at.ts'
import type { Subscribers } from './subscribers.ts'
import { createTtlCache } from './ttl-cache.ts'

interface DispatcherOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly outbox: Pick<Outbox, 'drain' | 'onEntriesAdded'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Pick<Subscribers, 'wantedOf'>
  readonly estimate: EstimateExecution
  readonly publishers: readonly Publisher[]
  readonly log: Logger
  readonly metrics: Metrics
}

/** The poll interval, which finds entries of other processes and entries due for a retry. Publishers take turns as often. */
const pollMs = 1000

/** Drains the outbox and publishes its events to subscribers. Runs in processes with a worker. */
export function createDispatcher(options: DispatcherOptions): AsyncDisposable {
  const { engine, outbox, webhooks, subscribers, estimate, publishers, log, metrics } = options
  const eventMappers = publishers.flatMap((publisher) => publisher.eventMappers ?? [])
  const watchers = publishers.flatMap((publisher) => publisher.watchers ?? [])
  const feeds = publishers.flatMap((publisher) => publisher.feeds ?? [])
  const turns = publishers.flatMap((publisher) => publisher.turns ?? [])
  const buildEvents = createBuildEvents({ engine, estimate, eventMappers, log })
  const deadLetters = metrics.counter({
    name: 'outbox_dead_letters_total',
    help: 'Entries of the outbox whose dispatch failed for good; each stands in the table engine_dead_letters.',
  })
  const closing = new AbortController()
  let isWanted = false
  let working: Promise<void> | undefined
  /** Beside draining: the turns of an account with much to do delay the events of no other. */
  let turning: Promise<void> | undefined

  /** Resolves to true when more entries may be due. */
  async function drain(): Promise<boolean> {
    const { count, failed } = await outbox.drain(async (transaction, outboxEntries) => {
      const wanted = await subscribers.wantedOf(transaction, outboxEntries)
      const webhookEvents = await buildEvents(transaction, outboxEntries, wanted)
      for (const watch of watchers) webhookEvents.push(...(await watch(transaction, outboxEntries, wanted)))
      const writes: (() => Promise<unknown>)[] = []
      for (const feed of feeds) writes.push(await feed(transaction, outboxEntries))
      await webhooks.publish(transaction, webhookEvents)
      for (const write of writes) await write()
    })
    for (const entry of failed) report(entry)
    return count > 0
  }

  function report({ error, isDead, ...entry }: FailedEntry): void {
    if (!isDead) {
      log.warn({ err: error, ...entry }, 'dispatching an outbox entry failed, it is retried later')
      return
    }
    deadLetters.inc()
    log.error(
      { err: error, ...entry },
      'dispatching an outbox entry failed for good, it was moved to engine_dead_letters',
    )
  }

  /** A turn that fails does not stop the other turns. */
  async function takeTurns(): Promise<void> {
    for (const turn of turns) {
      if (closing.signal.aborted) return
      try {
        await turn()
      } catch (error) {
        log.warn({ err: error }, 'a recurring part of the outbox dispatcher failed, it runs again in 1 s')
      }
    }
  }

  async function work(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      try {
        if (await drain()) isWanted = true
      } catch (error) {
        // Entries that were not dispatched stay in the outbox.
        log.warn({ err: error }, 'outbox dispatch failed, retrying in 1 s')
        return
      }
    }
  }

  function wake(): void {
    isWanted = true
    working ??= work().finally(() => {
      working = undefined
    })
  }

  function poll(): void {
    wake()
    turning ??= takeTurns().finally(() => {
      turning = undefined
    })
  }

  const polling = setInterval(poll, pollMs)
  const listening = outbox.onEntriesAdded(wake)
  poll()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      clearInterval(polling)
      listening[Symbol.dispose]()
      await Promise.all([working, turning])
    },
  }
}

/** Maps outbox entries to the webhook events their subscribers want, in order for each execution. */
type BuildEvents = (
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

function createBuildEvents({ engine, estimate, eventMappers, log }: BuildEventsOptions): BuildEvents {
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
    // Executions are read outside of the transaction.
    const keepAlive = createKeepAlive(executor)
    for (let first = 0; first < wantedExecutions.length; first += readAtOnce) {
      const some = wantedExecutions.slice(first, first + readAtOnce)
      const records = await Promise.all(some.map(({ id }) => engine.executions.readWithTexts(id)))
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

/** The fields by which webhooks address and filter an event of an execution. */
export function aboutExecution({ id, accountId, flowId, spent, priority }: ExecutionRecord) {
  return { subject: id, accountId, facts: { flowId, cost: units.dollars(spent), priority } }
}

/** The context as the caller sent it. */
function contextOf({ context, batch }: ExecutionInput): Readonly<Record<string, unknown>> {
  return batch === undefined ? context : { ...context, content_batch: batch.items }
}

/** Outputs by step: of the step an event is about, else of all completed steps. In a batch, a list of that by item. */
export function resultsSoFar(
  { outcomes, input }: Pick<ExecutionRecord, 'outcomes' | 'input'>,
  { data }: Pick<ExecutionEvent, 'data'>,
): unknown {
  const { step_id: stepId, item = 0 } = data
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (stepId !== undefined) {
    return byStep(completed.filter((outcome) => outcome.stepId === stepId && outcome.item === item))
  }
  if (input.batch === undefined) return byStep(completed)
  const byItem = Map.groupBy(completed, (outcome) => outcome.item)
  return input.batch.items.map((_, index) => byStep(byItem.get(index) ?? []))
}

function byStep(outcomes: ExecutionRecord['outcomes']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(outcomes.map(({ stepId, output }) => [stepId, output]))
}

/** Estimates of a flow change slowly. */
const keepMs = 30_000

/** Estimates executions from past ones; cached by flow version and batch. */
export function createEstimates({ history }: Pick<Engine, 'history'>): EstimateExecution {
  return createTtlCache({
    keepMs,
    nameOf: ({ flowId, flowVersion, input: { batch } }: ExecutionRecord) =>
      JSON.stringify([flowId, flowVersion, batch?.items.length, batch?.size, batch?.parallel]),
    load: (record) => estimates.estimateFor({ history }, record),
  })
}

import { randomUUID } from 'node:crypto'
import type { Engine, HistoryResult } from '#engine'
import { units } from '#executions-api'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { WebhookEvent, Webhooks } from '#webhooks'
import { aboutExecution } from '../dispatcher.ts'
import type { EstimateExecution, Publisher, Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isEnd } from '../record-at.ts'
import type { Subscribers } from '../subscribers.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { describeProgressOf, eventMappers } from './event-mappers.ts'

type FlowRecord = HistoryResult<'records'> extends ReadonlyMap<string, infer Value> ? Value : never

interface WorkflowsPublisherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Subscribers
  readonly estimate: EstimateExecution
}

/** Publishes events of executions for the Workflows API. */
export function createWorkflowsPublisher(options: WorkflowsPublisherOptions): Publisher {
  const { engine, subscribers } = options
  return {
    eventMappers,
    watchers: [createDurationWatcher({ history: engine.history, subscribers })],
    turns: [createProgressPublisher(options)],
  }
}

const name = 'performance.degradation.detected'

/** How long the usual durations of flows are cached. */
const keepRecordsMs = 60_000

interface DurationWatcherOptions {
  readonly history: Pick<Engine['history'], 'records'>
  readonly subscribers: Pick<Subscribers, 'wasPublishedRecently'>
}

/** Finds executions that took far longer than their flow usually does; at most one event per account, flow and hour. */
function createDurationWatcher({ history, subscribers }: DurationWatcherOptions): Watcher {
  const records = createTtlCache({
    keepMs: keepRecordsMs,
    nameOf: () => 'all',
    load: () => history.records(),
  })

  return async (executor, outboxEntries, wanted) => {
    const found = new Map<string, WebhookEvent>()
    for (const outboxEntry of outboxEntries) {
      const { executionId, flowId, accountId, events, spent, priority } = outboxEntry
      const end = events.findLast(isEnd)
      if (end === undefined || wanted.get(executionId)?.events.has(name) !== true) continue
      const data = describeDegradation(outboxEntry, (await records(undefined)).get(flowId))
      if (data === undefined) continue
      const subject = `flow:${flowId}`
      const key = `${accountId} ${subject}`
      if (found.has(key) || (await subscribers.wasPublishedRecently(executor, accountId, name, subject)))
        continue
      const facts = { flowId, cost: units.dollars(spent), priority }
      found.set(key, {
        event: name,
        subject,
        accountId,
        key: `${executionId} ${end.seq}`,
        at: end.at,
        data,
        facts,
      })
    }
    return [...found.values()]
  }
}

/** Fewer executions than this give no baseline. */
const fewestRuns = 20
/** An execution above this multiple of the 95th percentile is reported. */
const tolerated = 1.5

/**
 * The event of a completed execution that took 1.5 times the 95th percentile of its flow. Batches are excluded: their duration depends
 * on the number of items.
 */
export function describeDegradation(
  {
    executionId,
    flowId,
    flowVersion,
    facts,
  }: Pick<OutboxEntry, 'executionId' | 'flowId' | 'flowVersion' | 'facts'>,
  usual: FlowRecord | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (facts === null || facts.status !== 'completed' || facts.items > 0) return undefined
  if (usual === undefined || usual.completed < fewestRuns) return undefined
  const { p95Ms, medianMs, completed } = usual
  const { duration_ms: ms } = facts
  if (ms === null || p95Ms === null || p95Ms <= 0 || ms <= p95Ms * tolerated) return undefined
  return {
    flow_id: flowId,
    flow_version: flowVersion,
    execution_id: executionId,
    metric: 'duration',
    current_value: units.seconds(ms),
    threshold: units.seconds(p95Ms * tolerated),
    baseline: {
      p95: units.seconds(p95Ms),
      median: medianMs === null ? null : units.seconds(medianMs),
      executions: completed,
    },
    degradation_percentage: Math.round((ms / p95Ms - 1) * 10_000) / 100,
  }
}

interface ProgressPublisherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Pick<Subscribers, 'progressIntervals'>
  readonly estimate: EstimateExecution
  readonly nowMs?: () => number
}

const sweepEveryMs = 60_000

/** Publishes the progress that is due, of executions that run in this process: each execution has one publisher. */
type PublishProgress = () => Promise<void>

function createProgressPublisher(options: ProgressPublisherOptions): PublishProgress {
  const { database, engine, webhooks, subscribers, estimate, nowMs = () => performance.now() } = options
  const { progressIntervals } = subscribers
  /** The key stays until the event is published, so that repeating a commit whose response was lost adds no second delivery. */
  const dues = new Map<string, { readonly atMs: number; readonly key: string }>()
  let sweptAt = nowMs()

  function forget(id: string): void {
    progressIntervals.delete(id)
    dues.delete(id)
  }

  /** Resolves to whether the progress was published; if not, it is retried in the next turn. */
  async function publish(id: string, key: string): Promise<boolean> {
    const record = await engine.executions.readWithTexts(id)
    if (record === undefined || record.finishedAt !== null) {
      forget(id)
      return true
    }
    if (record.status !== 'running') return true
    const event = { at: new Date(), data: {} }
    const data = describeProgressOf({ event, record, estimate: await estimate(record) })
    return await database.transaction(async (transaction) => {
      if (!(await isQuiet(transaction, id))) return false
      await webhooks.publish(transaction, [
        { event: 'execution.progress', ...aboutExecution(record), key, at: event.at, data },
      ])
      return true
    })
  }

  /** Forgets ended executions before their next period. */
  async function sweep(): Promise<void> {
    if (progressIntervals.size === 0 || nowMs() - sweptAt < sweepEveryMs) return
    sweptAt = nowMs()
    const ended = await database.query<{ id: string }>(
      `select id from engine_executions where id = any($1::uuid[]) and finished_at is not null`,
      [[...progressIntervals.keys()]],
    )
    for (const { id } of ended) forget(id)
  }

  return async () => {
    await sweep()
    const failures: unknown[] = []
    for (const [id, everyMs] of progressIntervals) {
      const due = dues.get(id)
      if (due === undefined) dues.set(id, { atMs: nowMs() + everyMs, key: randomUUID() })
      if (due === undefined || due.atMs > nowMs()) continue
      try {
        if (!(await publish(id, due.key)) || !progressIntervals.has(id)) continue
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // An execution that cannot be described must not delay the others; it is due again after its period.
        failures.push(error)
      }
      // Counted from the due time, so that delays do not add up, but never twice at once.
      dues.set(id, { atMs: Math.max(due.atMs + everyMs, nowMs()), key: randomUUID() })
    }
    if (failures.length > 0)
      throw new AggregateError(failures, 'the progress of executions was not published')
  }
}

/**
 * Whether an execution still runs and all its entries were dispatched. The row lock keeps it from committing while the transaction
 * lasts, so its progress is published after its start and before its end.
 */
async function isQuiet(transaction: Executor, id: string): Promise<boolean> {
  const running = await runStatement(
    transaction,
    `select 1 from engine_executions where id = $1 and status = 'running' for share`,
    [id],
  )
  if (running.length === 0) return false
  const waiting = await runStatement(
    transaction,
    'select 1 from engine_outbox where execution_id = $1 limit 1',
    [id],
  )
  return waiting.length === 0
}

import { randomUUID } from 'node:crypto'
import type { Engine, FlowRecord } from '#engine'
import { dollars, seconds } from '#executions-api'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { WebhookEvent, Webhooks } from '#webhooks'
import { aboutExecution } from '../build-events.ts'
import type { EstimateExecution, Publisher, Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isEnd } from '../record-at.ts'
import type { Subscribers } from '../subscribers.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { describeProgressOf } from './callback-events.ts'
import { eventMappers } from './event-mappers.ts'

interface WorkflowsPublisherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Subscribers
  readonly estimate: EstimateExecution
}

/** What this interface tells others of executions. */
export function createWorkflowsPublisher(options: WorkflowsPublisherOptions): Publisher {
  const { engine, subscribers } = options
  return {
    eventMappers,
    watchers: [createWatchDurations({ history: engine.history, subscribers })],
    turns: [createTellByTheClock(options)],
  }
}

const name = 'performance.degradation.detected'

/** What flows usually take is read this often at most. */
const keepRecordsMs = 60_000

interface WatchDurationsOptions {
  readonly history: Pick<Engine['history'], 'records'>
  readonly subscribers: Pick<Subscribers, 'wasToldLately'>
}

/** Finds executions that took far longer than their flow usually does. Each account hears of a flow once an hour at most. */
function createWatchDurations({ history, subscribers }: WatchDurationsOptions): Watcher {
  const records = createTtlCache({
    keepMs: keepRecordsMs,
    nameOf: () => 'all',
    ask: () => history.records(),
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
      if (found.has(key) || (await subscribers.wasToldLately(executor, accountId, name, subject))) continue
      const facts = { flowId, cost: dollars(spent), priority }
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

/** Fewer executions than this show no habit. */
const fewestRuns = 20
/** So much longer than 95 of 100 before it, an execution is told of. */
const tolerated = 1.5

/**
 * An execution that completed and took half as long again as nearly all of its flow in the last weeks. Batches are left out: they take
 * as long as they have items.
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
    current_value: seconds(ms),
    threshold: seconds(p95Ms * tolerated),
    baseline: {
      p95: seconds(p95Ms),
      median: medianMs === null ? null : seconds(medianMs),
      executions: completed,
    },
    degradation_percentage: Math.round((ms / p95Ms - 1) * 10_000) / 100,
  }
}

interface ClockOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Pick<Subscribers, 'byTheClock'>
  readonly estimate: EstimateExecution
  readonly nowMs?: () => number
}

const sweepEveryMs = 60_000

/** Tells of progress where the time has come: of executions that run in this process, so each is told of by one. */
type TellByTheClock = () => Promise<void>

function createTellByTheClock(options: ClockOptions): TellByTheClock {
  const { database, engine, webhooks, subscribers, estimate, nowMs = () => performance.now() } = options
  const { byTheClock } = subscribers
  /** The key stays until it was told: a commit whose answer is lost makes no second delivery when it is told again. */
  const dues = new Map<string, { readonly atMs: number; readonly key: string }>()
  let sweptAt = nowMs()

  function forget(id: string): void {
    byTheClock.delete(id)
    dues.delete(id)
  }

  /** Answers whether it was told; if not, it is tried again at once. */
  async function tell(id: string, key: string): Promise<boolean> {
    const record = await engine.executions.read(id)
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

  /** Those with long pauses are not kept until their next one. */
  async function sweep(): Promise<void> {
    if (byTheClock.size === 0 || nowMs() - sweptAt < sweepEveryMs) return
    sweptAt = nowMs()
    const ended = await database.query<{ id: string }>(
      `select id from engine_executions where id = any($1::uuid[]) and finished_at is not null`,
      [[...byTheClock.keys()]],
    )
    for (const { id } of ended) forget(id)
  }

  return async () => {
    await sweep()
    const failures: unknown[] = []
    for (const [id, everyMs] of byTheClock) {
      const due = dues.get(id)
      if (due === undefined) dues.set(id, { atMs: nowMs() + everyMs, key: randomUUID() })
      if (due === undefined || due.atMs > nowMs()) continue
      try {
        if (!(await tell(id, due.key)) || !byTheClock.has(id)) continue
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // One that cannot be described keeps no other waiting, and is due again like any other.
        failures.push(error)
      }
      // From when it was due, so that pauses do not add up; but never twice in a row.
      dues.set(id, { atMs: Math.max(due.atMs + everyMs, nowMs()), key: randomUUID() })
    }
    if (failures.length > 0)
      throw new AggregateError(failures, 'the progress of executions was not published')
  }
}

/**
 * Whether an execution still runs and everything that happened in it is on its way. While the transaction lasts, nothing more
 * can happen in it: so its progress is told after its start, and before its end.
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

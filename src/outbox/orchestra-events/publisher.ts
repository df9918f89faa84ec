import { type Engine, type ExecutionEvent, executionMs } from '#engine'
import { describeFailure, estimates, recoveryOf, responses, units } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events, NewEvent } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import {
  type EstimateExecution,
  type EventMapper,
  type EventMapperInput,
  type Publisher,
  unknownEstimate,
} from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isTooLong } from '../result-length.ts'
import type { StreamPresence } from '../stream-presence.ts'
import { streamEvent } from '../stream-tail.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { createAgentWatcher } from './agent-watcher.ts'
import { createDailyLimitWatcher } from './daily-limit-watcher.ts'
import { deleteOldClaims } from './publication-claims.ts'

interface OrchestraPublisherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly estimate: EstimateExecution
  readonly watch: Pick<StreamPresence, 'hasViewers'>
  /** The account's spend of today in micro-dollars. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number }>
  /** The account's daily budget in micro-dollars; undefined when the account does not exist. */
  readonly dayLimitOf: (accountId: string) => Promise<number | undefined>
}

const forgetEveryMs = 3_600_000

/** Publishes events of executions for the Orchestra API. Its feed takes the lock of the event log, so it must be the last publisher. */
export function createOrchestraPublisher(options: OrchestraPublisherOptions): Publisher {
  const { database, engine } = options
  const { hasViewers } = options.watch
  const agents = createAgentWatcher({ ...options, history: engine.history, hasViewers })
  const dailyLimits = createDailyLimitWatcher({ ...options, hasViewers })
  let forgottenAtMs = performance.now()

  async function forget(): Promise<void> {
    if (performance.now() - forgottenAtMs < forgetEveryMs) return
    forgottenAtMs = performance.now()
    await deleteOldClaims(database)
  }

  return {
    eventMappers: [completed, failed, progress, costThreshold],
    watchers: [agents.watcher, dailyLimits.watcher],
    feeds: [createStreamFeed({ ...options, hasViewers })],
    turns: [agents.turn, dailyLimits.turn, forget],
  }
}

/** After each step, in a batch after each item. */
const progress: EventMapper = {
  name: 'workflow.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe({ event, record, estimate }) {
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit) return undefined
    const expected = estimates.expectationOf(record, estimate, event.at)
    const current = responses.describeProgress(record, expected, event.at)
    return {
      execution_id: record.id,
      workflow_id: record.flowId,
      workflow_version: record.flowVersion,
      status: 'running',
      step_id: event.data['step_id'] ?? null,
      item: event.data['item'] ?? null,
      progress_percentage: current.overall_percentage,
      steps_completed: current.steps_completed,
      steps_remaining: current.steps_remaining,
      elapsed_time: units.seconds(executionMs(record, event.at) ?? 0),
      remaining_time: expected.remainingMs === null ? null : units.seconds(expected.remainingMs),
      cost: units.dollars(record.spent),
    }
  },
}

/** A result longer than this as JSON is omitted; the receiver reads it from the execution. */
const maxResultLength = 1024 * 1024

const completed: EventMapper = {
  name: 'workflow.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    // By step, as in the API's response: a receiver parses both with the same code.
    const results = responses.describeResultsByStep(about.record)
    const fits = !isTooLong(results, maxResultLength)
    return { ...describeEnd(about), results: fits ? results : {}, results_omitted: !fits }
  },
}

/** A cancelled execution has the same event name, so that a receiver waiting for the end gets one; `status` tells them apart. */
const failed: EventMapper = {
  name: 'workflow.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe(about) {
    const { event, record, estimate } = about
    const { code, message, details } = describeFailure(record)
    return {
      ...describeEnd(about),
      error: {
        code,
        message,
        failed_step: details.failed_step,
        provider: details.provider,
        timeout_duration: details.timeout_duration,
        retry_attempts: details.retry_attempts,
      },
      reason: typeof event.data['reason'] === 'string' ? event.data['reason'] : null,
      completed_steps: details.partial_results.completed_steps,
      recovery: record.status === 'failed' ? recoveryOf(record, estimate) : [],
    }
  },
}

function describeEnd({ event, record }: EventMapperInput) {
  const stats = responses.deriveStats(record, event.at)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    workflow_version: record.flowVersion,
    status: record.status,
    duration: units.seconds(stats.elapsedMs ?? 0),
    cost: units.dollars(record.spent),
    unpriced: stats.unpriced,
  }
}

/**
 * | alert_type    | period      | means                                                                           |
 * |---------------|-------------|---------------------------------------------------------------------------------|
 * | `cost_alert`  | `execution` | the spend of an execution reached one of the `cost_alerts` of its workflow       |
 * | `over_budget` | `execution` | its next call could exceed the budget, and it continues anyway                  |
 * | `daily_limit` | `day`       | the account reached 80 or 100 % of its daily budget                             |
 */
function describeCostAlert({ type, data }: Pick<ExecutionEvent, 'type' | 'data'>, spent: number) {
  return {
    alert_type: type,
    current_cost: data['spent'] ?? spent,
    threshold: (type === 'cost_alert' ? data['threshold'] : data['budget']) ?? null,
    period: 'execution',
    possible_cost: data['could_cost'] ?? null,
  }
}

const costThreshold: EventMapper = {
  name: 'system.cost_threshold',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event, record }) => ({
    ...describeCostAlert(event, record.spent / 1e6),
    execution_id: record.id,
    workflow_id: record.flowId,
  }),
}

interface StreamFeedOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly estimate: EstimateExecution
  readonly hasViewers: () => boolean
}

type Feed = NonNullable<Publisher['feeds']>[number]

/** Estimates of a flow change slowly. */
const keepEstimatesMs = 30_000

/** Appends events of executions to the event log while a live stream is open. */
function createStreamFeed({ engine, events, estimate, hasViewers }: StreamFeedOptions): Feed {
  const expectedMs = createTtlCache({
    keepMs: keepEstimatesMs,
    nameOf: ({ flowId, flowVersion, batch }: OutboxEntry) => JSON.stringify([flowId, flowVersion, batch]),
    async load({ executionId }) {
      const record = await engine.executions.readWithTexts(executionId)
      const { duration } = record === undefined ? unknownEstimate : await estimate(record)
      return duration.value
    },
  })

  async function describe(outboxEntry: OutboxEntry, event: ExecutionEvent): Promise<NewEvent | undefined> {
    const { executionId, flowId, accountId, spent } = outboxEntry
    const { type, at, data } = event
    const toEvent = (name: Parameters<typeof streamEvent>[0], more: object) =>
      streamEvent(name, {
        subject: executionId,
        account: accountId,
        data: { execution_id: executionId, workflow_id: flowId, ...more },
      })
    switch (type) {
      case 'execution_started': {
        const ms = await expectedMs(outboxEntry)
        return toEvent('workflow_started', {
          started_at: units.epochSeconds(at),
          estimated_duration: ms === null ? null : units.seconds(ms),
        })
      }
      case 'execution_completed':
        return toEvent('workflow_completed', {
          completed_at: units.epochSeconds(at),
          success: true,
          ...durationAndCost(data),
        })
      case 'execution_failed':
      case 'execution_cancelled':
        return toEvent('workflow_failed', {
          failed_at: units.epochSeconds(at),
          status: data['status'],
          ...durationAndCost(data),
          error: describeError(data['error']),
        })
      case 'cost_alert':
      case 'over_budget':
        return toEvent('cost_alert', {
          ...describeCostAlert(event, units.dollars(spent)),
          timestamp: units.epochSeconds(at),
        })
      case 'step_retrying':
        return toEvent('error', {
          step_id: data['step_id'],
          code: data['code'],
          error: data['message'],
          provider: data['provider'] ?? null,
          retry_in: data['pause'] ?? null,
          timestamp: units.epochSeconds(at),
        })
      case 'step_failed': {
        const { code, message, provider } = describeError(data['error'])
        if (provider === null) return undefined
        return toEvent('error', {
          step_id: data['step_id'],
          code,
          error: message,
          provider,
          retry_in: null,
          timestamp: units.epochSeconds(at),
        })
      }
      default:
        return undefined
    }
  }

  return async (executor, outboxEntries) => {
    const feed: NewEvent[] = []
    for (const outboxEntry of hasViewers() ? outboxEntries : []) {
      for (const event of outboxEntry.events) {
        const live = await describe(outboxEntry, event)
        if (live !== undefined) feed.push(live)
      }
    }
    return async () => {
      if (feed.length === 0) return
      if ('query' in executor) await events.append(feed)
      else await events.appendWithin(executor, feed)
    }
  }
}

function durationAndCost(data: ExecutionEvent['data']) {
  return { duration: data['duration'], cost: data['total_cost'], unpriced: data['unpriced'] === true }
}

/** Messages of providers are cut: events of the log are bounded. */
const maxCharacters = 2000

function describeError(error: unknown) {
  const { code, message, step, provider } = (error ?? {}) as Readonly<Record<string, unknown>>
  return {
    code: textOf(code),
    message: textOf(message),
    failed_step: textOf(step),
    provider: textOf(provider),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, maxCharacters) : null
}

import { type Engine, executionMs } from '#engine'
import { describeFailure, estimates, recoveryOf, responses, units } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import type { EstimateExecution, EventMapper, EventMapperInput, Publisher } from '../event-mapper.ts'
import { createStreamFeed } from '../stream-feed/stream-feed.ts'
import type { StreamPresence } from '../stream-feed/stream-presence.ts'
import { createAgentWatcher } from './agent-watcher.ts'
import { deleteOldClaims } from './claims.ts'
import { costThreshold } from './costs.ts'
import { createDailyLimitWatcher } from './daily-limit-watcher.ts'

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

/** What the Orchestra API publishes about executions. Its feed takes the lock of the event log, so it must be the last publisher. */
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
    const fits = JSON.stringify(results).length <= maxResultLength
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

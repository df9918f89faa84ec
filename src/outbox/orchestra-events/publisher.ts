import { type Engine, executionMs, recoveryOptionsOf } from '#engine'
import {
  describeFailure,
  describeProgress,
  describeResultsByStep,
  dollars,
  expectationOf,
  measure,
  seconds,
} from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import type { EstimateExecution, EventMapper, EventMapperInput, Publisher } from '../event-mapper.ts'
import { createFeedLive } from '../stream-feed/feed-live.ts'
import type { StreamPresence } from '../stream-feed/stream-presence.ts'
import { costThreshold } from './costs.ts'
import { forgetTold } from './recent-events.ts'
import { createWatchAgents } from './watch-agents.ts'
import { createWatchDayLimits } from './watch-daily-limits.ts'

interface OrchestraPublisherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly estimate: EstimateExecution
  readonly watch: Pick<StreamPresence, 'isWatched'>
  /** What an account has spent on this day, and what it may spend on one, in micro-dollars; undefined when there is no such account. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number }>
  readonly dayLimitOf: (accountId: string) => Promise<number | undefined>
}

const forgetEveryMs = 3_600_000

/** What this interface tells others of executions. Its feed appends to the event log, so it stands last among tellings. */
export function createOrchestraPublisher(options: OrchestraPublisherOptions): Publisher {
  const { database, engine } = options
  const { isWatched } = options.watch
  const agents = createWatchAgents({ ...options, history: engine.history, isWatched })
  const dayLimits = createWatchDayLimits({ ...options, isWatched })
  let forgottenAtMs = performance.now()

  async function forget(): Promise<void> {
    if (performance.now() - forgottenAtMs < forgetEveryMs) return
    forgottenAtMs = performance.now()
    await forgetTold(database)
  }

  return {
    eventMappers: [completed, failed, progress, costThreshold],
    watchers: [agents.watcher, dayLimits.watcher],
    feeds: [createFeedLive({ ...options, isWatched })],
    turns: [agents.turn, dayLimits.turn, forget],
  }
}

/** With each step that is over, and in a batch with each item. */
const progress: EventMapper = {
  name: 'workflow.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe({ event, record, estimate }) {
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit) return undefined
    const expected = expectationOf(record, estimate, event.at)
    const told = describeProgress(record, expected, event.at)
    return {
      execution_id: record.id,
      workflow_id: record.flowId,
      workflow_version: record.flowVersion,
      status: 'running',
      step_id: event.data['step_id'] ?? null,
      item: event.data['item'] ?? null,
      progress_percentage: told.overall_percentage,
      steps_completed: told.steps_completed,
      steps_remaining: told.steps_remaining,
      elapsed_time: seconds(executionMs(record, event.at) ?? 0),
      remaining_time: expected.remainingMs === null ? null : seconds(expected.remainingMs),
      cost: dollars(record.spent),
    }
  },
}

/** A result that is longer than this as JSON is not sent along: whoever wants it reads the execution. */
const maxResultLength = 1024 * 1024

const completed: EventMapper = {
  name: 'workflow.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    // By step, like the answer of the API: a receiver reads both with the same code.
    const results = describeResultsByStep(about.record)
    const fits = JSON.stringify(results).length <= maxResultLength
    return { ...describeEnd(about), results: fits ? results : {}, results_omitted: !fits }
  },
}

/** One that was cancelled is told by the same name, so that whoever waits for an end hears of one; `status` says which it was. */
const failed: EventMapper = {
  name: 'workflow.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe(about) {
    const { event, record, estimate } = about
    const { code, message, details } = describeFailure(record)
    const known = new Map(estimate.steps.map((step) => [step.stepId, step]))
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
      recovery:
        record.status === 'failed'
          ? recoveryOptionsOf(record, (stepId) => {
              const step = known.get(stepId)
              return step && { microDollars: step.cost.value, ms: step.duration.value }
            })
          : [],
    }
  },
}

function describeEnd({ event, record }: EventMapperInput) {
  const measures = measure(record, event.at)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    workflow_version: record.flowVersion,
    status: record.status,
    duration: seconds(measures.elapsedMs ?? 0),
    cost: dollars(record.spent),
    unpriced: measures.unpriced,
  }
}

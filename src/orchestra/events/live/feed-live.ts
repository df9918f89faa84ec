import type { Engine, ExecutionEvent, Happening } from '#engine'
import type { Events, NewEvent } from '#kernel/events'
import {
  createShortMemory,
  dollars,
  type EstimateExecution,
  epochSeconds,
  nothingKnown,
  seconds,
  type Telling,
} from '#runs'
import { describeCostAlert } from '../costs.ts'
import { liveEvent } from './live-events.ts'

interface FeedLiveOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly estimate: EstimateExecution
  readonly isWatched: () => boolean
}

type Feed = NonNullable<Telling['feeds']>[number]

/** What executions of a flow take changes slowly. */
const keepEstimatesMs = 30_000

/** Puts what happens in executions into the event log, for those who watch: while anybody does. */
export function createFeedLive({ engine, events, estimate, isWatched }: FeedLiveOptions): Feed {
  const expectedMs = createShortMemory({
    keepMs: keepEstimatesMs,
    nameOf: ({ flowId, flowVersion, batch }: Happening) => JSON.stringify([flowId, flowVersion, batch]),
    async ask({ executionId }) {
      const record = await engine.executions.read(executionId)
      const { duration } = record === undefined ? nothingKnown : await estimate(record)
      return duration.value
    },
  })

  async function describe(happening: Happening, event: ExecutionEvent): Promise<NewEvent | undefined> {
    const { executionId, flowId, accountId, spent } = happening
    const { type, at, data } = event
    const tell = (name: Parameters<typeof liveEvent>[0], more: object) =>
      liveEvent(name, {
        subject: executionId,
        account: accountId,
        data: { execution_id: executionId, workflow_id: flowId, ...more },
      })
    switch (type) {
      case 'execution_started': {
        const ms = await expectedMs(happening)
        return tell('workflow_started', {
          started_at: epochSeconds(at),
          estimated_duration: ms === null ? null : seconds(ms),
        })
      }
      case 'execution_completed':
        return tell('workflow_completed', { completed_at: epochSeconds(at), success: true, ...takenBy(data) })
      case 'execution_failed':
      case 'execution_cancelled':
        return tell('workflow_failed', {
          failed_at: epochSeconds(at),
          status: data['status'],
          ...takenBy(data),
          error: describeError(data['error']),
        })
      case 'cost_alert':
      case 'over_budget':
        return tell('cost_alert', {
          ...describeCostAlert(event, dollars(spent)),
          timestamp: epochSeconds(at),
        })
      case 'step_retrying':
        return tell('error', {
          step_id: data['step_id'],
          code: data['code'],
          error: data['message'],
          provider: data['provider'] ?? null,
          retry_in: data['pause'] ?? null,
          timestamp: epochSeconds(at),
        })
      case 'step_failed': {
        const { code, message, provider } = describeError(data['error'])
        if (provider === null) return undefined
        return tell('error', {
          step_id: data['step_id'],
          code,
          error: message,
          provider,
          retry_in: null,
          timestamp: epochSeconds(at),
        })
      }
      default:
        return undefined
    }
  }

  return async (executor, happenings) => {
    if (!isWatched()) return
    const told: NewEvent[] = []
    for (const happening of happenings) {
      for (const event of happening.events) {
        const live = await describe(happening, event)
        if (live !== undefined) told.push(live)
      }
    }
    if ('query' in executor) await events.append(told)
    else await events.appendWithin(executor, told)
  }
}

function takenBy(data: ExecutionEvent['data']) {
  return { duration: data['duration'], cost: data['total_cost'], unpriced: data['unpriced'] === true }
}

/** Long messages of others are cut: an event of the log has its bounds. */
const mostCharacters = 2000

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
  return typeof value === 'string' ? value.slice(0, mostCharacters) : null
}

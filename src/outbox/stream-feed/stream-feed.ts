import type { Engine, ExecutionEvent } from '#engine'
import { units } from '#executions-api'
import type { Events, NewEvent } from '#kernel/events'
import { type EstimateExecution, type Publisher, unknownEstimate } from '../event-mapper.ts'
import { describeCostAlert } from '../orchestra-events/costs.ts'
import type { OutboxEntry } from '../outbox.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { streamEvent } from './stream-events.ts'

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
export function createStreamFeed({ engine, events, estimate, hasViewers }: StreamFeedOptions): Feed {
  const expectedMs = createTtlCache({
    keepMs: keepEstimatesMs,
    nameOf: ({ flowId, flowVersion, batch }: OutboxEntry) => JSON.stringify([flowId, flowVersion, batch]),
    async load({ executionId }) {
      const record = await engine.executions.read(executionId)
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
    if (!hasViewers()) return
    const feed: NewEvent[] = []
    for (const outboxEntry of outboxEntries) {
      for (const event of outboxEntry.events) {
        const live = await describe(outboxEntry, event)
        if (live !== undefined) feed.push(live)
      }
    }
    if ('query' in executor) await events.append(feed)
    else await events.appendWithin(executor, feed)
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

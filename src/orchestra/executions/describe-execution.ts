import type { ExecutionRecord } from '#engine'
import {
  type Callback,
  costOf,
  describeCallback,
  describeResultsByStep,
  dollars,
  type Expectation,
  epochSeconds,
  measure,
  type Reach,
  seconds,
} from '#runs'
import { describeWarningsHere } from './warnings.ts'

/** What is told of an execution besides itself. */
interface Told {
  readonly callback: Callback | undefined
  readonly reach: Reach
  readonly now: Date
}

function describeCommon(record: ExecutionRecord, { callback, reach, now }: Told) {
  return {
    success: true,
    execution_id: record.id,
    status: record.status,
    callback_info: describeCallback(callback),
    warnings: describeWarningsHere(record, reach),
    timestamp: epochSeconds(now),
  }
}

/** An execution that completed. */
export function describeCompleted(record: ExecutionRecord, told: Told) {
  const measures = measure(record, told.now)
  const { ran } = measures
  return {
    ...describeCommon(record, told),
    result: {
      workflow_id: record.flowId,
      steps_executed: ran.length,
      execution_time: seconds(measures.elapsedMs ?? 0),
      cost_estimate: dollars(record.spent),
      unpriced: measures.unpriced,
      results: describeResultsByStep(record),
      step_details: ran.map(({ step, outcome, ms, tokens }) => ({
        step_id: step.id,
        agent: step.type === 'agent' ? step.agent : null,
        duration: seconds(ms),
        tokens_used: tokens,
        ...costOf([outcome]),
        success: outcome.state === 'completed',
      })),
    },
    metrics: {
      total_tokens: measures.tokens,
      ai_calls: measures.aiCalls,
      cache_hits: measures.cacheHits,
      providers_used: [...new Set(ran.flatMap(({ details }) => details.usage.provider ?? []))],
    },
  }
}

interface Accepted extends Told {
  readonly expected: Expectation
  /** How long those before it in the queue will keep it waiting; null: nobody knows. */
  readonly waitMs: number | null
  readonly baseUrl: string
}

/** An execution that was put into the queue. */
export function describeAccepted(record: ExecutionRecord, accepted: Accepted) {
  const { expected, waitMs, baseUrl, now } = accepted
  const startMs = record.parked === null && waitMs !== null ? now.getTime() + waitMs : null
  const endMs = startMs === null || expected.durationMs === null ? null : startMs + expected.durationMs
  return {
    ...describeCommon(record, accepted),
    result: {
      workflow_id: record.flowId,
      steps_executed: 0,
      execution_time: 0,
      cost_estimate: dollars(expected.microDollars ?? 0),
      unpriced: false,
      results: {},
      step_details: [],
    },
    metrics: { total_tokens: 0, ai_calls: 0, cache_hits: 0, providers_used: [] },
    status_url: `${baseUrl}/workflow-status/${record.id}`,
    queue_position: record.queuePosition,
    estimated_start_time: startMs === null ? null : epochSeconds(new Date(startMs)),
    estimated_completion_time: endMs === null ? null : epochSeconds(new Date(endMs)),
    approval: record.approval,
  }
}

import { type ExecutionRecord, rulesOf } from '#engine'
import {
  type Callback,
  describeCallback,
  describeWarnings,
  dollars,
  type Expectation,
  epochSeconds,
  megabytes,
  type Reach,
} from '#runs'

interface AcceptedOptions {
  readonly expected: Expectation
  /** How long those before it in the queue will keep it waiting; null: nobody knows. */
  readonly waitMs: number | null
  /** Where this server is reached. */
  readonly baseUrl: string
  readonly now: Date
  /** Who is called about it. */
  readonly callback: Callback | undefined
  readonly reach: Reach
}

/** What is told of an execution that was put into the queue. */
export function describeAccepted(
  record: ExecutionRecord,
  { expected, waitMs, baseUrl, now, callback, reach }: AcceptedOptions,
) {
  const { id, input, definition, parked } = record
  const rules = rulesOf(definition, input, now)
  const startsAt = parked === null && waitMs !== null ? new Date(now.getTime() + waitMs) : null
  const endsAt =
    startsAt === null || expected.durationMs === null
      ? null
      : new Date(startsAt.getTime() + expected.durationMs)
  return {
    success: true,
    execution_id: id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    queue_position: record.queuePosition,
    estimated_start_time: startsAt === null ? null : epochSeconds(startsAt),
    estimated_completion_time: endsAt === null ? null : epochSeconds(endsAt),
    monitoring: {
      status_url: `${baseUrl}/execution-status/${id}`,
      stream_url: `${baseUrl}/execution-stream/${id}`,
      webhook_configured: callback !== undefined,
      progress_notifications: callback?.events.includes('execution.progress') ?? false,
    },
    execution_config: {
      priority: record.priority,
      estimated_cost: expected.microDollars === null ? null : dollars(expected.microDollars),
      estimated_from: expected.source,
      resource_allocation: {
        memory_reserved: megabytes(rules.mostBytes),
        cpu_priority: record.priority,
        ai_call_slots: rules.mostAiCalls,
      },
    },
    callback_info: describeCallback(callback),
    approval: record.approval,
    warnings: describeWarnings(record, reach),
    timestamp: epochSeconds(now),
  }
}

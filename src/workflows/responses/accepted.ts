import { type ExecutionRecord, rulesOf } from '#engine'
import {
  type Callback,
  describeCallback,
  describeWarnings,
  type estimates,
  type Reach,
  units,
} from '#executions-api'

interface AcceptedOptions {
  readonly queue: estimates.QueueEstimate
  /** Where this server is reached. */
  readonly baseUrl: string
  readonly now: Date
  readonly callback: Callback | undefined
  readonly reach: Reach
}

/** The response for a queued execution. */
export function describeAccepted(
  record: ExecutionRecord,
  { queue: { expected, startsAt, endsAt }, baseUrl, now, callback, reach }: AcceptedOptions,
) {
  const { id, input, definition } = record
  const rules = rulesOf(definition, input, now)
  return {
    success: true,
    execution_id: id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    queue_position: record.queuePosition,
    estimated_start_time: units.epochSeconds(startsAt),
    estimated_completion_time: units.epochSeconds(endsAt),
    monitoring: {
      status_url: `${baseUrl}/execution-status/${id}`,
      stream_url: `${baseUrl}/execution-stream/${id}`,
      webhook_configured: callback !== undefined,
      progress_notifications: callback?.events.includes('execution.progress') ?? false,
    },
    execution_config: {
      priority: record.priority,
      estimated_cost: units.dollars(expected.microDollars),
      estimated_from: expected.source,
      resource_allocation: {
        memory_reserved: units.megabytes(rules.maxBytes),
        cpu_priority: record.priority,
        ai_call_slots: rules.maxAiCalls,
      },
    },
    callback_info: describeCallback(callback),
    approval: record.approval,
    warnings: describeWarnings(record, reach),
    timestamp: units.epochSeconds(now),
  }
}

import type { ExecutionRecord } from '#engine'
import { describeWarnings, type Reach } from '#executions-api'

/** The warnings of an execution. This API calls `webhook_url` `callback_url`. */
export function describeOrchestraWarnings(record: ExecutionRecord, reach: Reach) {
  return describeWarnings(record, reach).map((warning) =>
    warning.type === 'callbacks_not_delivered'
      ? { ...warning, message: warning.message.replaceAll('webhook_url', 'callback_url') }
      : warning,
  )
}

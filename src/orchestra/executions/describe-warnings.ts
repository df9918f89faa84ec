import type { ExecutionRecord } from '#engine'
import { responses } from '#executions-api'

/** The warnings of an execution. This API calls `webhook_url` `callback_url`. */
export function describeOrchestraWarnings(record: ExecutionRecord, reach: responses.Reach) {
  return responses
    .describeWarnings(record, reach)
    .map((warning) =>
      warning.type === 'callbacks_not_delivered'
        ? { ...warning, message: warning.message.replaceAll('webhook_url', 'callback_url') }
        : warning,
    )
}

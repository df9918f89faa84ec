import type { ExecutionRecord } from '#engine'
import { responses } from '#executions-api'

/** What should be known of an execution. What others call `webhook_url` is `callback_url` here. */
export function describeWarningsHere(record: ExecutionRecord, reach: responses.Reach) {
  return responses
    .describeWarnings(record, reach)
    .map((warning) =>
      warning.type === 'callbacks_not_delivered'
        ? { ...warning, message: warning.message.replaceAll('webhook_url', 'callback_url') }
        : warning,
    )
}

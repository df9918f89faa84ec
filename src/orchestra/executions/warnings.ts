import type { ExecutionRecord } from '#engine'
import { describeWarnings, type Reach } from '#runs'

/** What should be known of an execution. What others call `webhook_url` is `callback_url` here. */
export function describeWarningsHere(record: ExecutionRecord, reach: Reach) {
  return describeWarnings(record, reach).map((warning) =>
    warning.type === 'callbacks_not_delivered'
      ? { ...warning, message: warning.message.replaceAll('webhook_url', 'callback_url') }
      : warning,
  )
}

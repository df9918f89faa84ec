import type { Events, NewEvent } from '#kernel/events'
import type { Publisher } from './event-mapper.ts'
import type { OutboxEntry } from './outbox.ts'
import { isEnd } from './record-at.ts'

interface TriggerPublisherOptions {
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  /** Whether the ends of an account's executions start flows. */
  readonly startsFlows: (accountId: string) => Promise<boolean>
}

const maxMessage = 2000

/**
 * Appends the ends of executions to the event log for accounts whose event triggers wait for them. Has to be the last publisher: it
 * appends to the log, and takes no lock afterwards.
 */
export function createTriggerPublisher({ events, startsFlows }: TriggerPublisherOptions): Publisher {
  return {
    feeds: [
      async (executor, outboxEntries) => {
        const ended = outboxEntries.filter((entry) => entry.events.some(isEnd))
        const appended: NewEvent[] = []
        // The transaction waits for each look-up, so there is one for each account and not one for each of its entries.
        for (const [accountId, ofAccount] of Map.groupBy(ended, (entry) => entry.accountId))
          if (await startsFlows(accountId)) appended.push(...ofAccount.flatMap(endsOf))
        return async () => {
          if (appended.length === 0) return
          if ('query' in executor) await events.append(appended)
          else await events.appendWithin(executor, appended)
        }
      },
    ],
  }
}

function endsOf({ executionId, accountId, flowId, flowVersion, input, events }: OutboxEntry): NewEvent[] {
  return events.filter(isEnd).map(({ type, data }) => {
    const error = data['error'] as { readonly code?: unknown; readonly message?: unknown } | undefined
    return {
      type: type.replace('execution_', 'flow.execution.'),
      subject: executionId,
      account: accountId,
      data: {
        execution_id: executionId,
        flow_id: flowId,
        flow_version: flowVersion,
        status: type.replace('execution_', ''),
        duration: Number(data['duration'] ?? 0),
        total_cost: Number(data['total_cost'] ?? 0),
        error:
          error === undefined
            ? null
            : { code: String(error.code), message: String(error.message).slice(0, maxMessage) },
        trigger_depth: input.trigger_depth ?? 0,
      },
    }
  })
}

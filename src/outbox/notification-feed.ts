import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { runStatement } from '#kernel/work'
import type { Notification, Notifications } from '#notifications'
import type { Feed } from './event-mapper.ts'
import type { OutboxEntry } from './outbox.ts'

interface NotificationFeedOptions {
  readonly notifications: Pick<Notifications, 'post'>
  readonly notificationsOf: (entry: OutboxEntry) => Promise<readonly Notification[]>
  /** The occasion, such as `a human task`, for the log. */
  readonly occasion: string
  readonly log: Logger
}

/** Posts the notifications of outbox entries in the transaction that drains them. */
export function createNotificationFeed(options: NotificationFeedOptions): Feed {
  const { notifications, notificationsOf, occasion, log } = options
  return async (executor, outboxEntries) => {
    const all: Notification[] = []
    for (const outboxEntry of outboxEntries) {
      try {
        const some = await notificationsOf(outboxEntry)
        all.push(...some)
        // Executions and tasks are read outside of the transaction, and PostgreSQL ends an idle transaction.
        if (some.length > 0) await runStatement(executor, 'select 1', [])
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // An entry without a notification must not block the other entries.
        log.error(
          { err: error, executionId: outboxEntry.executionId },
          `the notification about ${occasion} failed, it is skipped`,
        )
      }
    }
    return () => notifications.post(executor, all)
  }
}

import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { Notification, Notifications } from '#notifications'
import type { Feed } from './event-mapper.ts'
import { createKeepAlive } from './keep-alive.ts'
import type { OutboxEntry } from './outbox.ts'

interface NotificationFeedOptions {
  readonly notifications: Pick<Notifications, 'admit' | 'post'>
  /** The notifications of an entry, in lists that are prepared one after the other. A list may be empty. */
  readonly notificationsOf: (entry: OutboxEntry) => AsyncIterable<readonly Notification[]>
  /** The occasion, such as `a human task`, for the log. */
  readonly occasion: string
  readonly log: Logger
}

/**
 * Posts the notifications of outbox entries in the transaction that drains them, as far as the limits of their accounts admit them. A
 * dispatch prepares nothing more for an account that its limit has refused: an entry may have 10,000 tasks with 100 addresses each.
 */
export function createNotificationFeed(options: NotificationFeedOptions): Feed {
  const { notifications, notificationsOf, occasion, log } = options
  return async (executor, outboxEntries) => {
    const all: Notification[] = []
    const limited = new Set<string>()
    // Executions and tasks are read, and notifications are counted, outside of the transaction.
    const keepAlive = createKeepAlive(executor)
    for (const entry of outboxEntries) {
      const { accountId, executionId } = entry
      if (limited.has(accountId)) continue
      try {
        for await (const some of notificationsOf(entry)) {
          const { admitted, isLimited } = await notifications.admit(accountId, some)
          all.push(...admitted)
          await keepAlive(1000)
          if (!isLimited) continue
          limited.add(accountId)
          break
        }
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // An entry without a notification must not block the other entries.
        log.error({ err: error, executionId }, `the notification about ${occasion} failed, it is skipped`)
      }
    }
    return () => notifications.post(executor, all)
  }
}

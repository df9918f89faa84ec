import { defineQueue, type Queue } from '#kernel/work'
import type { NotificationKind } from '../notification.ts'

export interface NotificationRow {
  readonly id: string
  readonly kind: NotificationKind
  readonly recipient: string
  readonly subject: string | null
  readonly body: string
  readonly about: string
  readonly attempts: number
  readonly created_at: Date
}

/** One queue for each kind, so that a slow mail server does not delay Slack messages. The tables keep the older name `notices`. */
export const queues: Readonly<Record<NotificationKind, Queue<NotificationRow>>> = {
  mail: defineQueue<NotificationRow>({ name: 'mail', table: 'notices_mail', key: 'id' }),
  slack: defineQueue<NotificationRow>({ name: 'slack', table: 'notices_slack', key: 'id' }),
}

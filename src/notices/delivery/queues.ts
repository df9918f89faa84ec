import { defineQueue, type Queue } from '#kernel/work'
import type { NoticeKind } from '../notice.ts'

export interface NoticeRow {
  readonly id: string
  readonly kind: NoticeKind
  readonly recipient: string
  readonly subject: string | null
  readonly body: string
  readonly about: string
  readonly attempts: number
  readonly created_at: Date
}

/** One for each way out: where one of them is slow, the other is not. */
export const queues: Readonly<Record<NoticeKind, Queue<NoticeRow>>> = {
  mail: defineQueue<NoticeRow>({ name: 'mail', table: 'notices_mail', key: 'id' }),
  slack: defineQueue<NoticeRow>({ name: 'slack', table: 'notices_slack', key: 'id' }),
}

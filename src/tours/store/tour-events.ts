import type { NewEvent } from '#kernel/events'
import type { Actor } from '../actor.ts'
import type { Tour } from '../tour.ts'

/** What the log tells of tours. */
export type TourEventType =
  | 'tours.created'
  | 'tours.updated'
  | 'tours.published'
  | 'tours.unpublished'
  | 'tours.deleted'
  | 'tours.exported'

/** Those the audit log tells as well: what visitors get to see, and what is gone. Single changes would drown them. */
export const auditedTourEventTypes = [
  'tours.created',
  'tours.published',
  'tours.unpublished',
  'tours.deleted',
  'tours.exported',
] as const satisfies readonly TourEventType[]

/** One event about a tour: what happened, by whom, from where. */
export function tourEvent(
  type: TourEventType,
  { id, label, revision }: Pick<Tour, 'id' | 'label' | 'revision'>,
  by: Actor,
  more: Readonly<Record<string, unknown>> = {},
): NewEvent {
  return {
    type,
    subject: id,
    account: null,
    data: {
      name: label,
      revision,
      ...more,
      by: by.accountId,
      ...(by.ip !== undefined && { ip: by.ip, user_agent: by.userAgent ?? null }),
    },
  }
}

import type { NewEvent } from '#kernel/events'
import type { Actor } from '../actor.ts'
import type { Tour } from '../tour.ts'

export type TourEventType =
  | 'tours.created'
  | 'tours.updated'
  | 'tours.published'
  | 'tours.unpublished'
  | 'tours.deleted'
  | 'tours.exported'

/** The events in the audit log. `tours.updated` is left out: it is too frequent. */
export const auditedTourEventTypes = [
  'tours.created',
  'tours.published',
  'tours.unpublished',
  'tours.deleted',
  'tours.exported',
] as const satisfies readonly TourEventType[]

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

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
  | 'tours.site_created'
  | 'tours.site_updated'
  | 'tours.site_deleted'

/** The events in the audit log. `tours.updated` is left out: it is too frequent. */
export const auditedTourEventTypes = [
  'tours.created',
  'tours.published',
  'tours.unpublished',
  'tours.deleted',
  'tours.exported',
  'tours.site_created',
  'tours.site_updated',
  'tours.site_deleted',
] as const satisfies readonly TourEventType[]

export function tourEvent(
  type: TourEventType,
  { id, label, revision }: Pick<Tour, 'id' | 'label'> & Partial<Pick<Tour, 'revision'>>,
  by: Actor,
  more: Readonly<Record<string, unknown>> = {},
): NewEvent {
  return {
    type,
    subject: id,
    account: null,
    data: {
      name: label,
      ...(revision !== undefined && { revision }),
      ...more,
      by: by.accountId,
      ...(by.ip !== undefined && { ip: by.ip, user_agent: by.userAgent ?? null }),
    },
  }
}

import type { Events, NewEvent } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { Executor } from '#kernel/work'
import type { Notification, Notifications } from '#notifications'
import { isServiceName } from '../services/service.ts'
import type { StatusSettings } from '../settings.ts'
import type { Actor, Incident } from './incident.ts'
import { publicNameOf } from './service-texts.ts'

/** A change of an incident that subscribers and recipients of notifications receive. */
export interface IncidentEvent {
  readonly type: 'opened' | 'updated' | 'closed' | 'removed'
  readonly incident: Incident
  readonly message: string | null
  readonly by: Actor
}

type EventTransaction = Parameters<Events['appendWithin']>[0]

/** Publishes incident events in the transaction that caused them. It locks the event log, so it must be the last statement of the transaction. */
export type Announce = (transaction: EventTransaction, news: readonly IncidentEvent[]) => Promise<void>

interface AnnounceOptions {
  readonly events: Pick<Events, 'appendWithin'>
  readonly notifications: Pick<Notifications, 'post' | 'configured'>
  readonly settings: Pick<StatusSettings, 'notify' | 'publicPage'>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

export function createAnnounce(options: AnnounceOptions): Announce {
  const { events, notifications, settings, publicUrl, log } = options
  const unreachable = settings.notify.filter(({ kind }) => !notifications.configured[kind])
  if (unreachable.length > 0) {
    const kinds = [...new Set(unreachable.map(({ kind }) => kind))]
    log.warn(
      { kinds },
      'TUTTI_STATUS_NOTIFY names recipients that cannot be reached: configure mail or Slack',
    )
  }

  /** Undefined when the public page is off or its address is unknown. */
  function linkOf(incidentId: string): string | undefined {
    return settings.publicPage && publicUrl !== undefined
      ? `${publicUrl.replace(/\/$/, '')}/status/incidents/${incidentId}`
      : undefined
  }

  function notificationsOf(news: IncidentEvent): Notification[] {
    const { type, incident } = news
    if (type !== 'opened' && type !== 'closed') return []
    const { subject, text } = describeNotification(news, linkOf(incident.id))
    return settings.notify.map((target): Notification => {
      const about = incident.id
      return target.kind === 'mail'
        ? { kind: 'mail', to: target.to, subject, text, about }
        : { kind: 'slack', channel: target.channel, text: `${subject}\n${text}`, about }
    })
  }

  return async (transaction, news) => {
    if (news.length === 0) return
    const executor: Executor = transaction
    await notifications.post(executor, news.flatMap(notificationsOf))
    await events.appendWithin(transaction, news.map(eventOf))
  }
}

/** The types of events about incidents. */
export const incidentEventTypes = [
  'status.incident_opened',
  'status.incident_updated',
  'status.incident_closed',
  'status.incident_removed',
] as const

function eventOf({ type, incident, message, by }: IncidentEvent): NewEvent {
  const { id, kind, title, impact, state, services } = incident
  return {
    type: `status.incident_${type}` satisfies (typeof incidentEventTypes)[number],
    subject: id,
    data: {
      kind,
      title,
      impact,
      state,
      services,
      message,
      by: 'prober' in by ? 'prober' : 'account',
      account_id: 'prober' in by ? null : by.accountId,
    },
  }
}

/** Subject and text of a notification. */
function describeNotification(
  { type, incident, message }: IncidentEvent,
  link: string | undefined,
): { readonly subject: string; readonly text: string } {
  const { kind, title, services, startsAt, endsAt } = incident
  const names = services.filter(isServiceName).map(publicNameOf)
  const lines = [
    message,
    names.length === 0 ? null : `Services: ${names.join(', ')}`,
    kind === 'maintenance' && type === 'opened' && startsAt !== null && endsAt !== null
      ? `From ${showTime(startsAt)} to ${showTime(endsAt)}`
      : null,
    link ?? null,
  ]
  return {
    subject: `${label(kind, type)}: ${title}`,
    text: lines.filter((line) => line !== null).join('\n'),
  }
}

function label(kind: IncidentEvent['incident']['kind'], type: IncidentEvent['type']): string {
  if (kind === 'maintenance') return type === 'opened' ? 'Maintenance planned' : 'Maintenance completed'
  return type === 'opened' ? 'Incident' : 'Resolved'
}

function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

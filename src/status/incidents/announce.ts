import type { Events, NewEvent } from '#kernel/events'
import type { Executor } from '#kernel/work'
import type { Notice, Notices } from '#notices'
import type { By, Incident } from './incident.ts'
import { describeNotice } from './notice-words.ts'
import type { NotifyTarget } from './notify-targets.ts'

/** Something about an incident that others want to hear of. */
export interface News {
  readonly what: 'opened' | 'updated' | 'closed' | 'removed'
  readonly incident: Incident
  readonly message: string | null
  readonly by: By
}

type EventTransaction = Parameters<Events['appendWithin']>[0]

/** Tells news in the transaction that makes them. It takes the lock of the event log, so nothing may come after it. */
export type Announce = (transaction: EventTransaction, news: readonly News[]) => Promise<void>

interface AnnounceOptions {
  readonly events: Pick<Events, 'appendWithin'>
  readonly notices: Pick<Notices, 'post'>
  /** People who hear that one was opened or closed. */
  readonly targets: readonly NotifyTarget[]
  /** Where everybody can read about one; undefined when there is no such place. */
  readonly linkOf: (incidentId: string) => string | undefined
}

export function createAnnounce({ events, notices, targets, linkOf }: AnnounceOptions): Announce {
  function noticesOf(news: News): Notice[] {
    const { what, incident } = news
    if (what !== 'opened' && what !== 'closed') return []
    const { subject, text } = describeNotice(news, linkOf(incident.id))
    return targets.map((target): Notice => {
      const about = incident.id
      return target.kind === 'mail'
        ? { kind: 'mail', to: target.to, subject, text, about }
        : { kind: 'slack', channel: target.channel, text: `${subject}\n${text}`, about }
    })
  }

  return async (transaction, news) => {
    if (news.length === 0) return
    const executor: Executor = transaction
    await notices.post(executor, news.flatMap(noticesOf))
    await events.appendWithin(transaction, news.map(eventOf))
  }
}

function eventOf({ what, incident, message, by }: News): NewEvent {
  const { id, kind, title, impact, state, services } = incident
  return {
    type: `status.incident_${what}`,
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

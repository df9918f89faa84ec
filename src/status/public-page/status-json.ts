import { Type } from 'typebox'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import { incidentKinds } from '../incidents/incident.ts'
import type { ToldIncident } from '../incidents/incidents.ts'
import { levels, publicStates } from './overall-status.ts'
import type { Snapshot } from './snapshot.ts'
import { servicesOf } from './texts.ts'

const moment = Type.String({ format: 'date-time' })
const maybeMoment = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', format: 'date-time', nullable: true, description })
const percent = Type.Unsafe<number | null>({
  type: 'number',
  nullable: true,
  description: 'Percent of the checks that found it available; null when there were none.',
})

const PublicIncident = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum([...incidentKinds]),
  title: Type.String(),
  impact: Type.String(),
  state: Type.String(),
  services: Type.Array(Type.String(), { description: 'By their names.' }),
  url: Type.String(),
  opened_at: moment,
  updated_at: moment,
  closed_at: maybeMoment('Null while it is open.'),
  starts_at: maybeMoment('The plan of maintenance.'),
  ends_at: maybeMoment('The plan of maintenance.'),
  updates: Type.Array(Type.Object({ state: Type.String(), message: Type.String(), created_at: moment }), {
    description: 'The newest first, 50 at most.',
  }),
})

/** What `/status.json` says. */
export const StatusJson = Type.Object(
  {
    title: Type.String(),
    url: Type.String(),
    level: Type.Enum([...levels], { description: 'The worst of what was measured and of what people say.' }),
    message: Type.String(),
    checked_at: maybeMoment('When the services were last looked at.'),
    range: Type.Enum([...historyRanges], { description: 'Of `history`.' }),
    services: Type.Array(
      Type.Object({
        name: Type.String(),
        state: Type.Enum([...publicStates]),
        since: moment,
        uptime: Type.Object({ '24h': percent, '30d': percent, '90d': percent }),
        history: Type.Array(
          Type.Object({
            at: moment,
            state: Type.Enum(['online', 'degraded', 'offline', 'none'], {
              description: '`none`: nobody looked.',
            }),
            uptime: percent,
          }),
          { description: 'Quarters of an hour of a day, or days; the earliest first.' },
        ),
      }),
    ),
    incidents: Type.Array(PublicIncident, { description: 'Those that are open.' }),
    maintenance: Type.Array(PublicIncident, { description: 'Under way or planned.' }),
    past: Type.Array(PublicIncident, { description: 'What is over, of the last 90 days.' }),
  },
  { description: 'How everything is.' },
)

export function describeStatus(snapshot: Snapshot, range: HistoryRange, origin: string) {
  const describe = (told: ToldIncident) => describeIncident(told, origin)
  return {
    title: snapshot.title,
    url: `${origin}/status`,
    level: snapshot.level,
    message: snapshot.message,
    checked_at: snapshot.checkedAt?.toISOString() ?? null,
    range,
    services: snapshot.services.map(({ name, state, since, past }) => ({
      name,
      state,
      since: since.toISOString(),
      uptime: {
        '24h': roundedPercent(past['24h'].uptime),
        '30d': roundedPercent(past['30d'].uptime),
        '90d': roundedPercent(past['90d'].uptime),
      },
      history: past[range].bars.map((bar) => ({
        at: bar.at.toISOString(),
        state: bar.state,
        uptime: roundedPercent(bar.uptime),
      })),
    })),
    incidents: snapshot.incidents.map(describe),
    maintenance: snapshot.maintenance.map(describe),
    past: snapshot.past.map(describe),
  }
}

function describeIncident({ incident, updates }: ToldIncident, origin: string) {
  const { id, kind, title, impact, state, openedAt, updatedAt, closedAt, startsAt, endsAt } = incident
  return {
    id,
    kind,
    title,
    impact,
    state,
    services: servicesOf(incident),
    url: `${origin}/status/incidents/${id}`,
    opened_at: openedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    updates: updates.map(({ state: then, message, createdAt }) => ({
      state: then,
      message,
      created_at: createdAt.toISOString(),
    })),
  }
}

/** As the history of a service tells it: a month has more than forty thousand minutes. */
function roundedPercent(uptime: number | null): number | null {
  return uptime === null ? null : Math.round(uptime * 1000) / 1000
}

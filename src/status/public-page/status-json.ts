import { Type } from 'typebox'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import { incidentKinds } from '../incidents/incident.ts'
import type { IncidentWithUpdates } from '../incidents/incidents.ts'
import { levels, publicStates } from './overall-status.ts'
import type { Snapshot } from './snapshot.ts'
import { publicNamesOf } from './texts.ts'

const moment = Type.String({ format: 'date-time' })
const maybeMoment = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', format: 'date-time', nullable: true, description })
const percent = Type.Unsafe<number | null>({
  type: 'number',
  nullable: true,
  description: 'Percentage of checks that found it available; null without checks.',
})

const PublicIncident = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum([...incidentKinds]),
  title: Type.String(),
  impact: Type.String(),
  state: Type.String(),
  services: Type.Array(Type.String(), { description: 'Public names of the affected services.' }),
  url: Type.String(),
  opened_at: moment,
  updated_at: moment,
  closed_at: maybeMoment('Null while it is open.'),
  starts_at: maybeMoment('Planned period of maintenance; null for an incident.'),
  ends_at: maybeMoment('Planned period of maintenance; null for an incident.'),
  updates: Type.Array(Type.Object({ state: Type.String(), message: Type.String(), created_at: moment }), {
    description: 'The newest first, 50 at most.',
  }),
})

/** The response of `/status.json`. */
export const StatusJson = Type.Object(
  {
    title: Type.String(),
    url: Type.String(),
    level: Type.Enum([...levels], { description: 'The worst of the service states and the open incidents.' }),
    message: Type.String(),
    checked_at: maybeMoment('Time of the last check.'),
    range: Type.Enum([...historyRanges], { description: 'Period of `history`.' }),
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
              description: '`none`: no probes.',
            }),
            uptime: percent,
          }),
          { description: 'Intervals of 15 minutes (24h) or days; the earliest first.' },
        ),
      }),
    ),
    incidents: Type.Array(PublicIncident, { description: 'Open incidents.' }),
    maintenance: Type.Array(PublicIncident, { description: 'Maintenance in progress or planned.' }),
    past: Type.Array(PublicIncident, {
      description: 'Closed incidents and maintenance of the last 90 days.',
    }),
  },
  { description: 'The public status.' },
)

export function describeStatus(snapshot: Snapshot, range: HistoryRange, origin: string) {
  const describe = (entry: IncidentWithUpdates) => describeIncident(entry, origin)
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

function describeIncident({ incident, updates }: IncidentWithUpdates, origin: string) {
  const { id, kind, title, impact, state, openedAt, updatedAt, closedAt, startsAt, endsAt } = incident
  return {
    id,
    kind,
    title,
    impact,
    state,
    services: publicNamesOf(incident),
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

/** Three decimals, like the history API: a month has more than forty thousand minutes. */
function roundedPercent(uptime: number | null): number | null {
  return uptime === null ? null : Math.round(uptime * 1000) / 1000
}

import type { Incident, IncidentUpdate } from './incident.ts'
import type { ToldIncident } from './incidents.ts'

/** An incident in the words of the interface, with all that was said. */
export function describeIncident({ incident, updates }: ToldIncident) {
  return { ...describeFields(incident), updates: updates.map(describeUpdate) }
}

/** The same for a list: with the last that was said. */
export function describeListed({ incident, updates: [latest] }: ToldIncident) {
  return {
    ...describeFields(incident),
    latest_update: latest === undefined ? null : describeUpdate(latest),
  }
}

function describeFields(incident: Incident) {
  return {
    id: incident.id,
    kind: incident.kind,
    title: incident.title,
    impact: incident.impact,
    services: [...incident.services],
    state: incident.state,
    opened_by: incident.openedBy,
    account_id: incident.accountId,
    opened_at: incident.openedAt.toISOString(),
    updated_at: incident.updatedAt.toISOString(),
    closed_at: incident.closedAt?.toISOString() ?? null,
    starts_at: incident.startsAt?.toISOString() ?? null,
    ends_at: incident.endsAt?.toISOString() ?? null,
  }
}

function describeUpdate(update: IncidentUpdate) {
  return {
    id: update.id,
    state: update.state,
    impact: update.impact,
    message: update.message,
    written_by: update.writtenBy,
    account_id: update.accountId,
    created_at: update.createdAt.toISOString(),
  }
}

/** Maintenance goes by the clock: what it is now is known before anybody has written it down. */
const stateNow = `
  case
    when incident.kind = 'incident' or incident.closed_at is not null then incident.state
    when incident.ends_at <= now() then 'done'
    when incident.starts_at <= now() then 'under_way'
    else incident.state
  end
`
export const closedNow = `
  case when incident.ends_at <= now() then coalesce(incident.closed_at, incident.ends_at) else incident.closed_at end
`

/** An incident, of the table under the name `incident`. */
export const incidentColumns = `
  incident.id, incident.kind, incident.title, incident.impact, incident.services, ${stateNow} as state,
  incident.opened_by as "openedBy", incident.account_id as "accountId", incident.opened_at as "openedAt",
  incident.updated_at as "updatedAt", ${closedNow} as "closedAt", incident.starts_at as "startsAt",
  incident.ends_at as "endsAt"
`

export const updateColumns = `
  id, incident_id as "incidentId", state, impact, message, written_by as "writtenBy", account_id as "accountId",
  created_at as "createdAt"
`

import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import {
  type Actor,
  endOf,
  type Impact,
  type Incident,
  type IncidentKind,
  type IncidentState,
  type IncidentUpdate,
} from './incident.ts'

type NewIncident = Pick<
  Incident,
  'id' | 'kind' | 'title' | 'impact' | 'services' | 'state' | 'startsAt' | 'endsAt'
>

/**
 * Serialises changes of incidents with rounds. A round locks this row first and the event log later: a transaction that locked an incident
 * before the event log would deadlock with it.
 */
export async function lockRounds(executor: Executor): Promise<void> {
  await runStatement(executor, 'select from status_rounds for update', [])
}

/** Undefined when an incident with this id exists. */
export async function insertIncident(
  executor: Executor,
  { id, kind, title, impact, services, state, startsAt, endsAt }: NewIncident,
  by: Actor,
): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `
      insert into status_incidents as incident
        (id, kind, title, impact, services, state, opened_by, account_id, starts_at, ends_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (id) do nothing
      returning ${incidentColumns}
    `,
    [id, kind, title, impact, services, state, ...authorOf(by), startsAt, endsAt],
  )
  return row
}

/** Locks the incident until the transaction ends. */
export async function lockIncident(executor: Executor, id: string): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `select ${incidentColumns} from status_incidents as incident where incident.id = $1 for update`,
    [id],
  )
  return row
}

type IncidentValues = Pick<Incident, 'id' | 'title' | 'impact' | 'services' | 'state' | 'startsAt' | 'endsAt'>

/** Writes a locked incident; it stays open or closed. */
export async function writeIncident(executor: Executor, values: IncidentValues): Promise<Incident> {
  const { id, title, impact, services, state, startsAt, endsAt } = values
  const [row] = await runStatement<Incident>(
    executor,
    `
      update status_incidents as incident
      set title = $2, impact = $3, services = $4, state = $5, starts_at = $6, ends_at = $7, updated_at = now()
      where incident.id = $1
      returning ${incidentColumns}
    `,
    [id, title, impact, services, state, startsAt, endsAt],
  )
  return requireLocked(row)
}

/** Closes a locked, open incident, from now or from an earlier time. */
export async function writeClosed(
  executor: Executor,
  { id, kind }: Pick<Incident, 'id' | 'kind'>,
  since?: Date | null,
): Promise<Incident> {
  const [row] = await runStatement<Incident>(
    executor,
    `
      update status_incidents as incident
      set state = $2, closed_at = coalesce($3, now()), updated_at = now()
      where incident.id = $1
      returning ${incidentColumns}
    `,
    [id, endOf(kind), since ?? null],
  )
  return requireLocked(row)
}

export async function removeIncident(executor: Executor, id: string): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `delete from status_incidents as incident where incident.id = $1 returning ${incidentColumns}`,
    [id],
  )
  return row
}

interface NewUpdate {
  readonly incidentId: string
  readonly state: IncidentState
  readonly impact: Impact
  readonly message: string
  /** Default: now. */
  readonly at?: Date
}

export async function insertUpdate(
  executor: Executor,
  { incidentId, state, impact, message, at }: NewUpdate,
  by: Actor,
): Promise<IncidentUpdate> {
  const [row] = await runStatement<IncidentUpdate>(
    executor,
    `
      insert into status_incident_updates
        (incident_id, state, impact, message, written_by, account_id, created_at)
      values ($1, $2, $3, $4, $5, $6, coalesce($7, now()))
      returning ${updateColumns}
    `,
    [incidentId, state, impact, message, ...authorOf(by), at ?? null],
  )
  if (row === undefined) throw new Error('the update was not stored')
  return row
}

export async function countUpdates(executor: Executor, incidentId: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    executor,
    'select count(*) as count from status_incident_updates where incident_id = $1',
    [incidentId],
  )
  return row?.count ?? 0
}

/** The latest open incident that an operator opened for a service. */
export async function findOpenByHand(executor: Executor, service: string): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `
      select ${incidentColumns}
      from status_incidents as incident
      where incident.closed_at is null and incident.kind = 'incident' and incident.opened_by = 'account'
        and $1 = any (incident.services)
      order by incident.opened_at desc, incident.id desc
      limit 1
      for update
    `,
    [service],
  )
  return row
}

export async function countOpen(executor: Executor): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    executor,
    'select count(*) as count from status_incidents where closed_at is null',
    [],
  )
  return row?.count ?? 0
}

function requireLocked(incident: Incident | undefined): Incident {
  if (incident === undefined) throw new Error('a locked incident no longer exists')
  return incident
}

function authorOf(by: Actor): readonly [author: string, accountId: string | null] {
  return 'prober' in by ? ['prober', null] : ['account', by.accountId]
}

/** The state of maintenance follows its schedule, whether or not the change is already stored. */
const stateNow = `
  case
    when incident.kind = 'incident' or incident.closed_at is not null then incident.state
    when incident.ends_at <= now() then 'done'
    when incident.starts_at <= now() then 'under_way'
    else incident.state
  end
`
const closedNow = `
  case when incident.ends_at <= now() then coalesce(incident.closed_at, incident.ends_at) else incident.closed_at end
`

/** The columns of an incident; the table has the alias `incident`. */
const incidentColumns = `
  incident.id, incident.kind, incident.title, incident.impact, incident.services, ${stateNow} as state,
  incident.opened_by as "openedBy", incident.account_id as "accountId", incident.opened_at as "openedAt",
  incident.updated_at as "updatedAt", ${closedNow} as "closedAt", incident.starts_at as "startsAt",
  incident.ends_at as "endsAt"
`

const updateColumns = `
  id, incident_id as "incidentId", state, impact, message, written_by as "writtenBy", account_id as "accountId",
  created_at as "createdAt"
`

export async function readIncident(executor: Executor, id: string): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `select ${incidentColumns} from status_incidents as incident where incident.id = $1`,
    [id],
  )
  return row
}

/** The latest updates of each incident, the newest first. */
export async function readUpdates(
  database: Pick<Database, 'query'>,
  incidentIds: readonly string[],
  maxOfEach: number,
): Promise<ReadonlyMap<string, readonly IncidentUpdate[]>> {
  const rows = await database.query<IncidentUpdate>(
    `
      select ${updateColumns}
      from unnest($1::uuid[]) as wanted (wanted_id),
        lateral (
          select * from status_incident_updates
          where incident_id = wanted_id
          order by id desc
          limit $2
        ) as newest
      order by id desc
    `,
    [incidentIds, maxOfEach],
  )
  return Map.groupBy(rows, ({ incidentId }) => incidentId)
}

export interface IncidentFilter {
  readonly kind?: IncidentKind | undefined
  readonly status?: 'open' | 'closed' | undefined
  readonly service?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** One page of incidents, the newest first. */
export async function listIncidents(
  database: Pick<Database, 'query'>,
  { kind, status, service, limit, offset }: IncidentFilter,
): Promise<{ readonly incidents: Incident[]; readonly total: number }> {
  const matching = `
    from status_incidents as incident
    where ($1::text is null or incident.kind = $1)
      and ($2::text is null or (${closedNow} is null) = ($2 = 'open'))
      and ($3::text is null or $3 = any (incident.services))
  `
  const values = [kind ?? null, status ?? null, service ?? null]
  const [counted] = await database.query<{ total: number }>(`select count(*) as total ${matching}`, values)
  const incidents = await database.query<Incident>(
    `select ${incidentColumns} ${matching} order by incident.opened_at desc, incident.id desc limit $4 offset $5`,
    [...values, limit, offset],
  )
  return { incidents, total: counted?.total ?? 0 }
}

/** Open incidents, then those closed within the last `days` days, the last changed first. */
export async function readRecentIncidents(
  database: Pick<Database, 'query'>,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<Incident[]> {
  return await database.query<Incident>(
    `
      select ${incidentColumns}
      from status_incidents as incident
      where incident.closed_at is null or incident.closed_at > now() - $1 * interval '1 day'
      order by incident.closed_at is not null, incident.updated_at desc, incident.id desc
      limit $2
    `,
    [days, limit],
  )
}

/** The services with announced maintenance in progress. */
export async function readMaintained(executor: Executor): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ service: string }>(
    executor,
    `
      select distinct unnest(incident.services) as service
      from status_incidents as incident
      where incident.closed_at is null and incident.kind = 'maintenance' and incident.impact = 'maintenance'
        and incident.starts_at <= now() and incident.ends_at > now()
    `,
    [],
  )
  return new Set(rows.map(({ service }) => service))
}

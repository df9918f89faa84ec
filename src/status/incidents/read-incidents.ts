import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { closedNow, incidentColumns, updateColumns } from './columns.ts'
import type { Incident, IncidentKind, IncidentUpdate } from './incident.ts'

export async function readIncident(executor: Executor, id: string): Promise<Incident | undefined> {
  const [row] = await runStatement<Incident>(
    executor,
    `select ${incidentColumns} from status_incidents as incident where incident.id = $1`,
    [id],
  )
  return row
}

/** The newest updates of each, the newest first. */
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

/** A page of them, the newest first. */
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

/** Those that are open, and those that ended within so many days, the last changed first. */
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

/** The services that are worked on just now, as it was announced. */
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

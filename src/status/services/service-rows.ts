import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { DampedStatus } from './damping.ts'
import {
  inDisplayOrder,
  isServiceName,
  type ServiceMetadata,
  type ServiceName,
  type ServiceReport,
} from './service.ts'

/** A stored service: the reported status and the memory for the next probe. */
export interface StoredService extends DampedStatus {
  readonly name: ServiceName
  readonly text: string
  readonly responseMs: number
  readonly metadata: ServiceMetadata
  readonly checkedAt: Date
}

const columns = `
  service as name, state, since, believed, seen, doubts, changes, turns, flapping, text, response_ms as "responseMs", metadata,
  checked_at as "checkedAt"
`

const listStatement = `select ${columns} from status_services`

export async function readServices(
  database: Pick<Database, 'query'>,
): Promise<ReadonlyMap<ServiceName, StoredService>> {
  return byName(await database.query<StoredService>(listStatement, [], 'status_services'))
}

export async function readServicesWithin(
  transaction: Transaction<NoTables>,
): Promise<ReadonlyMap<ServiceName, StoredService>> {
  return byName((await sql<StoredService>`${sql.raw(listStatement)}`.execute(transaction)).rows)
}

export async function writeServices(
  transaction: Transaction<NoTables>,
  services: readonly StoredService[],
): Promise<void> {
  for (const it of services) {
    await sql`
      insert into status_services (
        service, state, since, believed, seen, doubts, changes, turns, flapping, text, response_ms, metadata, checked_at
      )
      values (
        ${it.name}, ${it.state}, ${it.since}, ${it.believed}, ${it.seen}, ${it.doubts}, ${it.changes}, ${it.turns},
        ${it.flapping}, ${it.text}, ${it.responseMs}, ${JSON.stringify(it.metadata)}, ${it.checkedAt}
      )
      on conflict (service) do update
      set state = excluded.state, since = excluded.since, believed = excluded.believed, seen = excluded.seen,
        doubts = excluded.doubts, changes = excluded.changes, turns = excluded.turns,
        flapping = excluded.flapping, text = excluded.text, response_ms = excluded.response_ms,
        metadata = excluded.metadata, checked_at = excluded.checked_at
    `.execute(transaction)
  }
}

/** Deletes the services that no longer exist, such as removed providers. */
export async function deleteServices(
  transaction: Transaction<NoTables>,
  names: readonly ServiceName[],
): Promise<void> {
  if (names.length === 0) return
  await sql`delete from status_services where service = any (${names}::text[])`.execute(transaction)
}

export function reportOf(service: StoredService): ServiceReport {
  const { name, state, since, text, responseMs, checkedAt, flapping, metadata } = service
  return { name, state, since, text, responseTime: responseMs, lastCheck: checkedAt, flapping, metadata }
}

function byName(rows: readonly StoredService[]): ReadonlyMap<ServiceName, StoredService> {
  const known = new Map(rows.map((row) => [row.name, row]))
  return new Map(
    inDisplayOrder([...known.keys()].filter(isServiceName)).flatMap((name) => {
      const row = known.get(name)
      return row === undefined ? [] : [[name, row] as const]
    }),
  )
}

import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { AuditContext } from '../audit-context.ts'
import { openCachedTable } from '../cached-table.ts'
import { type ModelRoute, type RouteDefinition, routeLimits } from './route.ts'

/** A version of a route. */
export interface RouteVersion {
  readonly version: number
  readonly definition: RouteDefinition
  readonly createdAt: Date
  readonly createdBy: string | null
}

/** The routes of operators. All replicas are notified of a change. */
export interface ModelRoutes extends AsyncDisposable {
  /** All routes by name, cached; the same object until one changes. */
  read(): Promise<ReadonlyMap<string, ModelRoute>>
  /** Stores a new version and activates it. Throws `conflict` above the limits of routes and versions. */
  save(name: string, definition: RouteDefinition, audit: AuditContext): Promise<ModelRoute>
  /** Activates an earlier version. Undefined when the route or the version does not exist. */
  activate(name: string, version: number, audit: AuditContext): Promise<ModelRoute | undefined>
  /** A page of the versions of a route, the newest first, and the number of all; 0 when the route does not exist. */
  versions(
    name: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly versions: readonly RouteVersion[]; readonly total: number }>
  /** Returns whether the route existed. */
  remove(name: string, audit: AuditContext): Promise<boolean>
}

export interface ModelRoutesOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly log: Logger
}

const loadStatement = `
  select route.name, route.active_version as version, version.definition, route.updated_at as "updatedAt",
    route.updated_by as "updatedBy"
  from model_routes as route
  join model_route_versions as version on version.name = route.name and version.version = route.active_version
`

const versionsStatement = `
  select version, definition, created_at as "createdAt", created_by as "createdBy"
  from model_route_versions
  where name = $1
  order by version desc
  limit $2 offset $3
`

const countVersionsStatement = `
  select count(*)::integer as total from model_route_versions where name = $1
`

export async function openModelRoutes({ database, events, log }: ModelRoutesOptions): Promise<ModelRoutes> {
  const table = await openCachedTable({
    database,
    channel: 'model_routes_changed',
    log,
    load: async () =>
      new Map((await database.query<ModelRoute>(loadStatement)).map((route) => [route.name, route])),
  })

  type Transaction = Parameters<typeof table.notifyWithin>[0]

  /** Notifies the replicas and writes the audit event in the transaction of the change. */
  async function announce(
    transaction: Transaction,
    type: 'models.route_saved' | 'models.route_activated' | 'models.route_removed',
    name: string,
    data: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await table.notifyWithin(transaction)
    await events.appendWithin(transaction, { type, subject: name, data: { ...data } })
  }

  async function readAfterChange(name: string): Promise<ModelRoute | undefined> {
    return (await table.reload()).get(name)
  }

  return {
    read: () => table.read(),

    async save(name, definition, audit) {
      await database.transaction(async (transaction) => {
        // One writer at a time, so that versions have no gaps and the limits hold.
        await sql`lock table model_routes in share row exclusive mode`.execute(transaction)
        const { rows } = await sql<{ routes: number; known: boolean; last: number }>`
          select (select count(*) from model_routes)::integer as routes,
            exists (select from model_routes where name = ${name}) as known,
            coalesce((select max(version) from model_route_versions where name = ${name}), 0)::integer as last
        `.execute(transaction)
        const [{ routes, known, last } = { routes: 0, known: false, last: 0 }] = rows
        requireBelow(known ? 0 : routes, routeLimits.routes, 'routes')
        requireBelow(last, routeLimits.versions, 'versions of this route')
        const version = last + 1
        await sql`
          insert into model_routes (name, active_version, updated_at, updated_by)
          values (${name}, ${version}, now(), ${audit.by})
          on conflict (name) do update
          set active_version = excluded.active_version, updated_at = excluded.updated_at,
            updated_by = excluded.updated_by
        `.execute(transaction)
        await sql`
          insert into model_route_versions (name, version, definition, created_by)
          values (${name}, ${version}, ${JSON.stringify(definition)}::jsonb, ${audit.by})
        `.execute(transaction)
        await announce(transaction, 'models.route_saved', name, { version, ...audit })
      })
      const saved = await readAfterChange(name)
      if (saved === undefined) throw new Error('the route was not stored')
      return saved
    },

    async activate(name, version, audit) {
      const isKnown = await database.transaction(async (transaction) => {
        const { rows } = await sql`
          update model_routes as route
          set active_version = ${version}, updated_at = now(), updated_by = ${audit.by}
          from model_route_versions as version
          where route.name = ${name} and version.name = route.name and version.version = ${version}
          returning route.name
        `.execute(transaction)
        if (rows.length === 0) return false
        await announce(transaction, 'models.route_activated', name, { version, ...audit })
        return true
      })
      return isKnown ? await readAfterChange(name) : undefined
    },

    async versions(name, { limit, offset }) {
      const [versions, counted] = await Promise.all([
        database.query<RouteVersion>(versionsStatement, [name, limit, offset]),
        database.query<{ total: number }>(countVersionsStatement, [name]),
      ])
      return { versions, total: counted[0]?.total ?? 0 }
    },

    async remove(name, audit) {
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql`delete from model_routes where name = ${name} returning name`.execute(
          transaction,
        )
        if (rows.length === 0) return false
        await announce(transaction, 'models.route_removed', name, { ...audit })
        return true
      })
      if (removed) await table.reload()
      return removed
    },

    [Symbol.asyncDispose]: () => table[Symbol.asyncDispose](),
  }
}

function requireBelow(count: number, limit: number, what: string): void {
  if (count < limit) return
  throw kernelFailure('conflict', { message: `There are already ${limit} ${what}, which is the limit.` })
}

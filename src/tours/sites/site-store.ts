import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { uniqueName } from '../content/machine-name.ts'
import { toursFailure, unprocessable } from '../errors.ts'
import { tourEvent } from '../store/tour-events.ts'
import type { PlayerSettings } from './player-settings.ts'
import { consoleSite, defaultSite, type Environment, type Site, siteBounds } from './site.ts'

interface SiteRow extends Omit<Site, 'created_at' | 'updated_at'> {
  readonly created_at: Date
  readonly updated_at: Date
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

const columns = `
  id, label, environments, player, (select count(*)::int from tours where site_id = tour_sites.id) as tours,
  created_at, updated_at, updated_by_name
`

function toSite(row: SiteRow): Site {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}

export function noSuchSite(id: string) {
  return toursFailure('site_not_found', {
    message: `There is no site "${id}".`,
    problems: [{ path: 'site', message: 'does not exist', code: 'not_found' }],
  })
}

/** Lists all sites, oldest first; their number is limited. */
export async function listSites(database: Pick<Database, 'query'>): Promise<Site[]> {
  const rows = await database.query<SiteRow>(`select ${columns} from tour_sites order by created_at, id`, [])
  return rows.map(toSite)
}

/** Reads a site; throws `site_not_found`. */
export async function readSiteById(database: Pick<Database, 'query'>, id: string): Promise<Site> {
  const [row] = await database.query<SiteRow>(`select ${columns} from tour_sites where id = $1`, [id])
  if (row === undefined) throw noSuchSite(id)
  return toSite(row)
}

/** The addresses of a site and its settings of the player, for the requests of visitors; undefined: no such site. */
export async function findVisitedSite(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<Pick<Site, 'environments' | 'player'> | undefined> {
  const [row] = await database.query<Pick<Site, 'environments' | 'player'>>(
    'select environments, player from tour_sites where id = $1',
    [id],
  )
  return row
}

/** Throws 422 when the site does not exist. Locks it until the commit. */
export async function requireSite(executor: Executor, id: string): Promise<void> {
  const rows = await runStatement(executor, 'select from tour_sites where id = $1 for key share', [id])
  if (rows.length > 0) return
  throw unprocessable({ path: 'site_id', message: 'is not a site', code: 'unknown' })
}

interface NewSite {
  /** An `exact` id that exists is refused; a `preferred` id that exists gets a number. */
  readonly id: { readonly exact: string } | { readonly preferred: string }
  readonly label: string
  readonly environments: readonly Environment[]
  readonly player: PlayerSettings
  readonly by: Actor
}

export async function insertSite({ database, events }: Stores, site: NewSite): Promise<Site> {
  return await database.transaction(async (transaction) => {
    // Serialises concurrent creations, so that the limit holds and two sites with the same label get different ids.
    await runStatement(transaction, `select pg_advisory_xact_lock(hashtext('tour_sites'), 1)`, [])
    const rows = await runStatement<{ id: string }>(transaction, 'select id from tour_sites', [])
    if (rows.length >= siteBounds.sites) {
      const message = `cannot be added: there can be at most ${siteBounds.sites} sites`
      throw unprocessable({ path: 'label', message, code: 'too_many' })
    }
    const taken = new Set(rows.map(({ id }) => id))
    const id = 'exact' in site.id ? site.id.exact : uniqueName(site.id.preferred, (name) => taken.has(name))
    if (taken.has(id)) throw unprocessable({ path: 'id', message: 'already exists', code: 'duplicate' })
    const [row] = await runStatement<SiteRow>(
      transaction,
      `
        insert into tour_sites (id, label, environments, updated_by_name, player) values ($1, $2, $3, $4, $5)
        returning ${columns}
      `,
      [id, site.label, JSON.stringify(site.environments), site.by.username, JSON.stringify(site.player)],
    )
    return await record({ transaction, events, type: 'tours.site_created', row, id, by: site.by })
  })
}

interface ChangedSite {
  readonly label: string | undefined
  readonly environments: readonly Environment[] | undefined
  readonly player: PlayerSettings | undefined
  readonly by: Actor
}

/** Changes a site; undefined fields stay. Throws 404, or 422 for the console. */
export async function changeSite(
  { database, events }: Stores,
  id: string,
  { label, environments, player, by }: ChangedSite,
): Promise<Site> {
  if (id === consoleSite) {
    const message = 'cannot be changed: its address is that of the platform'
    throw unprocessable({ path: 'site', message, code: 'built_in' })
  }
  return await database.transaction(async (transaction) => {
    const [row] = await runStatement<SiteRow>(
      transaction,
      `
        update tour_sites
        set label = coalesce($2, label), environments = coalesce($3, environments), updated_by_name = $4,
          player = coalesce($5, player), updated_at = now()
        where id = $1
        returning ${columns}
      `,
      [
        id,
        label ?? null,
        environments === undefined ? null : JSON.stringify(environments),
        by.username,
        player === undefined ? null : JSON.stringify(player),
      ],
    )
    return await record({ transaction, events, type: 'tours.site_updated', row, id, by })
  })
}

/** Deletes a site without tours. Throws 404, or 422 for a built-in site and one with tours. */
export async function deleteSite({ database, events }: Stores, id: string, by: Actor): Promise<Site> {
  if (id === consoleSite || id === defaultSite) {
    const message = 'cannot be deleted: it is built in'
    throw unprocessable({ path: 'site', message, code: 'built_in' })
  }
  return await database.transaction(async (transaction) => {
    // A tour that gets this site waits for the lock, so that it cannot be left without one.
    await runStatement(transaction, 'select from tour_sites where id = $1 for update', [id])
    const [count] = await runStatement<{ tours: number }>(
      transaction,
      'select count(*)::int as tours from tours where site_id = $1',
      [id],
    )
    if (count !== undefined && count.tours > 0) {
      const tours = count.tours === 1 ? 'a tour' : `${count.tours} tours`
      const message = `cannot be deleted: it has ${tours}; move or delete them first`
      throw unprocessable({ path: 'site', message, code: 'in_use' })
    }
    const statement = `delete from tour_sites where id = $1 returning ${columns}`
    const [row] = await runStatement<SiteRow>(transaction, statement, [id])
    return await record({ transaction, events, type: 'tours.site_deleted', row, id, by })
  })
}

/** Appends the event of a change. Throws `site_not_found` when no row was changed. */
async function record({
  transaction,
  events,
  type,
  row,
  id,
  by,
}: {
  readonly transaction: Executor & Parameters<Events['appendWithin']>[0]
  readonly events: Stores['events']
  readonly type: 'tours.site_created' | 'tours.site_updated' | 'tours.site_deleted'
  readonly row: SiteRow | undefined
  readonly id: string
  readonly by: Actor
}): Promise<Site> {
  if (row === undefined) throw noSuchSite(id)
  await events.appendWithin(transaction, tourEvent(type, { id, label: row.label }, by))
  return toSite(row)
}

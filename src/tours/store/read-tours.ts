import type { Database } from '#kernel/database'
import { noSuchTour } from '../errors.ts'
import type { Tip, Tour } from '../tour.ts'

export async function findTour(database: Pick<Database, 'query'>, id: string): Promise<Tour | undefined> {
  const [row] = await database.query<TourRow>(`select ${tourColumns} from tours where id = $1`, [id])
  return row === undefined ? undefined : toTour(row)
}

/** Reads a tour; throws `tour_not_found`. */
export async function readTour(database: Pick<Database, 'query'>, id: string): Promise<Tour> {
  const tour = await findTour(database, id)
  if (tour === undefined) throw noSuchTour(id)
  return tour
}

export interface TourFilter {
  readonly status?: boolean | undefined
  /** Text in the label or the id. */
  readonly search?: string | undefined
  readonly site?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** Lists tours, oldest first, so that a tour added while a client pages through the list moves none to another page. */
export async function listTours(
  database: Pick<Database, 'query'>,
  { status, search, site, limit, offset }: TourFilter,
): Promise<{ tours: Tour[]; total: number }> {
  const filter = [status ?? null, search === undefined ? null : `%${escapeLike(search)}%`, site ?? null]
  const where = `
    ($1::boolean is null or status = $1) and ($2::text is null or label ilike $2 or id ilike $2)
    and ($3::text is null or site_id = $3)
  `
  const [rows, counted] = await Promise.all([
    database.query<TourRow>(
      `
        select ${tourColumns} from tours
        where ${where}
        order by created_at, id
        limit $4 offset $5
      `,
      [...filter, limit, offset],
    ),
    database.query<{ total: number }>(`select count(*) as total from tours where ${where}`, filter),
  ])
  return { tours: rows.map(toTour), total: counted[0]?.total ?? 0 }
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

export interface TourRow extends Omit<Tour, 'created_at' | 'updated_at'> {
  readonly created_at: Date
  readonly updated_at: Date
}

export const tourColumns = `
  id, label, status, routes, tips, recipe_id, launch, langcode, translations, site_id, targeting, revision, created_at, updated_at,
  updated_by_name
`

export function toTour(row: TourRow): Tour {
  return {
    ...row,
    tips: row.tips.map(completeTip),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Steps stored by earlier releases have no position and no `advance`. */
export function completeTip(tip: Tip): Tip {
  return { ...tip, position: tip.position ?? null, advance: tip.advance ?? 'next' }
}

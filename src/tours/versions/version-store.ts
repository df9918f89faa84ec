import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { toursFailure } from '../errors.ts'
import { completeTip } from '../store/read-tours.ts'
import type { Tour } from '../tour.ts'

export const versionKinds = ['created', 'saved', 'published', 'unpublished', 'restored'] as const
export type VersionKind = (typeof versionKinds)[number]

/**
 * Versions of a tour that are kept: the last saved ones, and the last of all other kinds. The builder saves while an editor
 * types, and these versions must not push out those that were published.
 */
const maxVersionsOfGroup = 50

/** The fields of a tour that a version contains: all that editors can change. */
export type VersionContent = Omit<Tour, PlatformField>
export const platformFields = ['id', 'revision', 'created_at', 'updated_at', 'updated_by_name'] as const
type PlatformField = (typeof platformFields)[number]

export interface Version {
  readonly version: number
  readonly kind: VersionKind
  readonly content: VersionContent
  readonly savedAt: Date
  readonly savedByName: string | null
}

/** Stores the current state of a tour as a version, unless it is stored already, and deletes the oldest. */
export async function storeVersion(executor: Executor, tour: Tour, kind: VersionKind): Promise<void> {
  const { id, revision, created_at: _created, updated_at, updated_by_name, ...content } = tour
  const stored = await runStatement(
    executor,
    `
      insert into tour_versions (tour_id, revision, kind, content, saved_by_name, saved_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (tour_id, revision) do nothing
      returning 1
    `,
    [id, revision, kind, JSON.stringify(content), updated_by_name, updated_at],
  )
  if (stored.length === 0) return
  await runStatement(
    executor,
    `
      delete from tour_versions where tour_id = $1 and revision in (
        select revision from (
          select revision, row_number() over (partition by kind = 'saved' order by revision desc) as place
          from tour_versions where tour_id = $1
        ) placed
        where place > ${maxVersionsOfGroup}
      )
    `,
    [id],
  )
}

interface VersionRow {
  readonly revision: number
  readonly kind: VersionKind
  readonly content: VersionContent
  readonly saved_at: Date
  readonly saved_by_name: string | null
}

/** Lists versions, the newest first. */
export async function listVersions(
  database: Pick<Database, 'query'>,
  tour: Tour,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly versions: Version[]; readonly total: number }> {
  const [rows, counted] = await Promise.all([
    database.query<VersionRow>(
      `
        select revision, kind, content, saved_at, saved_by_name from tour_versions
        where tour_id = $1 order by revision desc limit $2 offset $3
      `,
      [tour.id, limit, offset],
    ),
    database.query<{ total: number }>('select count(*) as total from tour_versions where tour_id = $1', [
      tour.id,
    ]),
  ])
  return { versions: rows.map((row) => toVersion(row, tour)), total: counted[0]?.total ?? 0 }
}

/** Reads a version; throws `version_not_found`. */
export async function readVersion(
  database: Pick<Database, 'query'>,
  tour: Tour,
  version: number,
): Promise<Version> {
  // The current revision of a tour that was never changed may have no row.
  if (version === tour.revision) return currentVersion(tour)
  const [row] = await database.query<VersionRow>(
    `
      select revision, kind, content, saved_at, saved_by_name from tour_versions
      where tour_id = $1 and revision = $2
    `,
    [tour.id, version],
  )
  if (row === undefined) throw noSuchVersion(tour.id, version)
  return toVersion(row, tour)
}

/** The number of the newest version before another; throws `version_not_found` when there is none. */
export async function versionBefore(
  database: Pick<Database, 'query'>,
  tour: Tour,
  version: number,
): Promise<number> {
  const [row] = await database.query<{ revision: number }>(
    'select revision from tour_versions where tour_id = $1 and revision < $2 order by revision desc limit 1',
    [tour.id, version],
  )
  if (row === undefined) throw noSuchVersion(tour.id, version - 1)
  return row.revision
}

function currentVersion(tour: Tour): Version {
  const { id: _id, revision, created_at: _created, updated_at, updated_by_name, ...content } = tour
  const saved = { savedAt: new Date(updated_at), savedByName: updated_by_name }
  return { version: revision, kind: 'saved', content, ...saved }
}

/** A version of an earlier release lacks newer fields; it gets those of the current tour. */
function toVersion({ revision, kind, content, saved_at, saved_by_name }: VersionRow, tour: Tour): Version {
  const { content: current } = currentVersion(tour)
  return {
    version: revision,
    kind,
    content: { ...current, ...content, tips: content.tips.map(completeTip) },
    savedAt: saved_at,
    savedByName: saved_by_name,
  }
}

function noSuchVersion(tour: string, version: number) {
  return toursFailure('version_not_found', {
    message: `The tour "${tour}" has no version ${version}, or it was deleted: the last ${maxVersionsOfGroup} saved and the last ${maxVersionsOfGroup} published or restored versions are kept.`,
    problems: [{ path: 'version', message: 'does not exist', code: 'not_found' }],
  })
}

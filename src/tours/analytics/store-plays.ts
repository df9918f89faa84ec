import { type Executor, runStatement } from '#kernel/work'
import { newPlay, type Play } from './play.ts'

interface PlayRow {
  readonly tour_id: string
  readonly play: string
  readonly counted: string[]
  readonly furthest_step: string | null
  readonly furthest_weight: number | null
  readonly ended: boolean
  readonly dropped_step: string | null
  readonly dropped_on: string | null
  readonly settled: boolean
  readonly last_at: Date
}

export interface StoredPlay {
  readonly tourId: string
  readonly id: string
  readonly play: Play
}

const columns = `
  tour_id, play, counted, furthest_step, furthest_weight, ended, dropped_step, dropped_on::text, settled, last_at
`

/** Inserts new plays and locks all of them, sorted by id to avoid deadlocks. */
export async function lockPlays(
  executor: Executor,
  tourId: string,
  ids: readonly string[],
  at: Date,
): Promise<Map<string, Play>> {
  const sorted = ids.toSorted()
  await runStatement(
    executor,
    `
      insert into tour_plays (tour_id, play, last_at)
      select $1, play, $3 from unnest($2::uuid[]) as play
      on conflict do nothing
    `,
    [tourId, sorted, at],
  )
  const rows = await runStatement<PlayRow>(
    executor,
    `
      select ${columns} from tour_plays
      where tour_id = $1 and play = any($2::uuid[])
      order by play
      for update
    `,
    [tourId, sorted],
  )
  const stored = new Map(rows.map((row) => [row.play, toPlay(row)]))
  return new Map(ids.map((id) => [id, stored.get(id) ?? newPlay(at)]))
}

/**
 * Locks some silent plays that are not settled. Plays locked by another transaction are skipped: they are receiving an
 * event. Their tours are locked as well, so that a concurrent deletion of a tour waits instead of deadlocking.
 */
export async function lockSilentPlays(
  executor: Executor,
  { silenceMs, limit }: { readonly silenceMs: number; readonly limit: number },
): Promise<StoredPlay[]> {
  const rows = await runStatement<PlayRow>(
    executor,
    `
      select ${columns} from tour_plays
      join tours on tours.id = tour_plays.tour_id
      where not settled and last_at < now() - $1 * interval '1 millisecond'
      order by last_at
      limit $2
      for key share of tours skip locked
      for update of tour_plays skip locked
    `,
    [silenceMs, limit],
  )
  return rows.map((row) => ({ tourId: row.tour_id, id: row.play, play: toPlay(row) }))
}

/** Writes plays that the transaction has locked. */
export async function writePlays(executor: Executor, plays: readonly StoredPlay[]): Promise<void> {
  for (const { tourId, id, play } of plays) {
    await runStatement(
      executor,
      `
        update tour_plays
        set counted = $3, furthest_step = $4, furthest_weight = $5, ended = $6, dropped_step = $7,
          dropped_on = $8, settled = $9, last_at = $10
        where tour_id = $1 and play = $2
      `,
      [
        tourId,
        id,
        [...play.counted],
        play.furthest?.step ?? null,
        play.furthest?.weight ?? null,
        play.ended,
        play.dropped?.step ?? null,
        play.dropped?.day ?? null,
        play.settled,
        play.lastAt,
      ],
    )
  }
}

function toPlay(row: PlayRow): Play {
  const { furthest_step: step, furthest_weight: weight, dropped_step: dropped, dropped_on: day } = row
  return {
    counted: new Set(row.counted),
    furthest: step === null || weight === null ? null : { step, weight },
    ended: row.ended,
    dropped: dropped === null || day === null ? null : { step: dropped, day },
    settled: row.settled,
    lastAt: row.last_at,
  }
}

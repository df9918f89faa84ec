import type { Database } from '#kernel/database'
import { runStatement } from '#kernel/work'
import type { Tip } from '../tour.ts'
import { addCounts } from './add-counts.ts'
import { countAlone, takeEvent } from './count-event.ts'
import type { Count, Play, PlayEvent } from './play.ts'
import { lockPlays, writePlays } from './store-plays.ts'

export interface ToldEvent extends PlayEvent {
  /** Which play it belongs to; null when nobody said. */
  readonly play: string | null
}

/** Counts what visitors did with a tour, in one transaction. Answers false when the tour is gone meanwhile. */
export async function recordEvents(
  database: Database,
  tour: { readonly id: string; readonly tips: readonly Pick<Tip, 'id' | 'weight'>[] },
  told: readonly ToldEvent[],
): Promise<boolean> {
  const [first] = told
  if (first === undefined) return true
  const weights = new Map(tour.tips.map(({ id, weight }) => [id, weight]))
  return await database.transaction(async (transaction) => {
    const here = await runStatement(transaction, 'select from tours where id = $1 for key share', [tour.id])
    if (here.length === 0) return false
    const ids = [...new Set(told.flatMap(({ play }) => play ?? []))]
    const plays = await lockPlays(transaction, tour.id, ids, first.at)
    const counts: Count[] = []
    for (const event of told) {
      const play = event.play === null ? undefined : plays.get(event.play)
      if (event.play === null || play === undefined) {
        counts.push(...countAlone(event))
        continue
      }
      const taken = takeEvent(play, event, weights)
      plays.set(event.play, taken.play)
      counts.push(...taken.counts)
    }
    await writePlays(transaction, toStored(tour.id, plays))
    await addCounts(
      transaction,
      counts.map((count) => ({ ...count, tourId: tour.id })),
    )
    return true
  })
}

function toStored(tourId: string, plays: ReadonlyMap<string, Play>) {
  return [...plays].map(([id, play]) => ({ tourId, id, play }))
}

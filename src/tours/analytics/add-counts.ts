import { type Executor, runStatement } from '#kernel/work'
import type { Count } from './play.ts'

export interface TourCount extends Count {
  readonly tourId: string
}

/** Adds counts to the daily stats of tours and steps, one statement each; rows are sorted to avoid deadlocks. */
export async function addCounts(executor: Executor, counts: readonly TourCount[]): Promise<void> {
  const tours = sumBy(
    counts.filter(({ step }) => step === null),
    ({ tourId, day }) => [tourId, day],
  )
  const steps = sumBy(
    counts.filter(({ step }) => step !== null),
    ({ tourId, step, day }) => [tourId, step ?? '', day],
  )
  if (tours.length > 0) await runStatement(executor, addToTours, [JSON.stringify(tours.map(tourRow))])
  if (steps.length > 0) await runStatement(executor, addToSteps, [JSON.stringify(steps.map(stepRow))])
}

interface Sum {
  readonly key: readonly string[]
  readonly counts: readonly TourCount[]
}

function sumBy(counts: readonly TourCount[], keyOf: (count: TourCount) => readonly string[]): Sum[] {
  const groups = Map.groupBy(counts, (count) => JSON.stringify(keyOf(count)))
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group]) => ({ key: JSON.parse(key) as string[], counts: group }))
}

function tourRow({ key: [tour_id, day], counts }: Sum) {
  return {
    tour_id,
    day,
    views: total(counts, 'views'),
    starts: total(counts, 'starts'),
    completions: total(counts, 'completions'),
    dismissals: total(counts, 'dismissals'),
    completion_seconds: seconds(counts, 'completions'),
    completions_timed: timed(counts, 'completions'),
    dismissal_seconds: seconds(counts, 'dismissals'),
    dismissals_timed: timed(counts, 'dismissals'),
  }
}

function stepRow({ key: [tour_id, step_id, day], counts }: Sum) {
  return {
    tour_id,
    step_id,
    day,
    views: total(counts, 'views'),
    completions: total(counts, 'completions'),
    drop_offs: total(counts, 'drop_offs'),
    missing: total(counts, 'missing'),
    seconds: seconds(counts, 'completions'),
    timed: timed(counts, 'completions'),
  }
}

function total(counts: readonly Count[], counter: Count['counter']): number {
  return counts.reduce((sum, count) => sum + (count.counter === counter ? count.by : 0), 0)
}

function seconds(counts: readonly Count[], counter: Count['counter']): number {
  return counts.reduce((sum, count) => sum + (count.counter === counter ? (count.seconds ?? 0) : 0), 0)
}

function timed(counts: readonly Count[], counter: Count['counter']): number {
  return counts.filter((count) => count.counter === counter && count.seconds !== null).length
}

const addToTours = `
  insert into tour_days as stored
  select given.* from jsonb_populate_recordset(null::tour_days, $1::jsonb) as given
  on conflict (tour_id, day) do update
  set views = stored.views + excluded.views,
    starts = stored.starts + excluded.starts,
    completions = stored.completions + excluded.completions,
    dismissals = stored.dismissals + excluded.dismissals,
    completion_seconds = stored.completion_seconds + excluded.completion_seconds,
    completions_timed = stored.completions_timed + excluded.completions_timed,
    dismissal_seconds = stored.dismissal_seconds + excluded.dismissal_seconds,
    dismissals_timed = stored.dismissals_timed + excluded.dismissals_timed
`

const addToSteps = `
  insert into tour_step_days as stored
  select given.* from jsonb_populate_recordset(null::tour_step_days, $1::jsonb) as given
  on conflict (tour_id, step_id, day) do update
  set views = stored.views + excluded.views,
    completions = stored.completions + excluded.completions,
    drop_offs = stored.drop_offs + excluded.drop_offs,
    missing = stored.missing + excluded.missing,
    seconds = stored.seconds + excluded.seconds,
    timed = stored.timed + excluded.timed
`

import { type Count, dayOf, type Play, type PlayEvent, type PlayEventName } from './play.ts'

/**
 * The events that each event implies. Requests get lost, so a missing earlier event is counted with a later one: a
 * visitor who completed a tour has started it. A dismissal implies a view only. Any event at a step implies its view,
 * unless its element is missing.
 */
const implied: Readonly<Record<PlayEventName, readonly PlayEventName[]>> = {
  view: [],
  start: ['view'],
  step_view: ['view'],
  step_complete: ['view'],
  // The step was not seen, and perhaps nothing of the tour.
  step_missing: [],
  complete: ['view', 'start'],
  dismiss: ['view'],
}

const counters: Readonly<Record<PlayEventName, Count['counter']>> = {
  view: 'views',
  start: 'starts',
  step_view: 'views',
  step_complete: 'completions',
  step_missing: 'missing',
  complete: 'completions',
  dismiss: 'dismissals',
}

export const isAboutStep = (event: PlayEventName): boolean =>
  event === 'step_view' || event === 'step_complete' || event === 'step_missing'

/** Counts an event that names no play. */
export function countWithoutPlay({ event, stepId, duration, at }: PlayEvent): readonly Count[] {
  const day = dayOf(at)
  const step = isAboutStep(event) ? stepId : null
  const count: Count = { day, step, counter: counters[event], by: 1, seconds: duration }
  return event === 'dismiss' && stepId !== null ? [count, dropOff({ step: stepId, day }, 1)] : [count]
}

/**
 * Applies an event to a play. The same event counts once; implied events count with it.
 *
 * | state of the play | on | next |
 * |---|---|---|
 * | open | any other event | open |
 * | open | `complete`, `dismiss` | ended and settled at once |
 * | open | silence for 30 minutes | settled by the recurring task |
 * | settled | any new event | the drop-off is taken back; the play is open, or settled again |
 *
 * Settling counts a drop-off at the furthest step seen, unless that step or the tour was completed.
 */
export function applyEvent(
  play: Play,
  given: PlayEvent,
  weights: ReadonlyMap<string, number>,
): { readonly play: Play; readonly counts: readonly Count[] } {
  if (play.counted.has(keyOf(given.event, given.stepId))) return { play, counts: [] }
  const counted = new Set(play.counted)
  const counts: Count[] = []
  const isSeen = given.stepId !== null && given.event !== 'step_missing'
  const seen: readonly PlayEventName[] = isSeen ? ['step_view'] : []
  for (const event of new Set([...implied[given.event], ...seen, given.event])) {
    const step = isAboutStep(event) ? given.stepId : null
    const key = keyOf(event, step)
    if (counted.has(key)) continue
    counted.add(key)
    const seconds = event === given.event ? given.duration : null
    counts.push({ day: dayOf(given.at), step, counter: counters[event], by: 1, seconds })
  }
  const { play: open, counts: takenBack } = reopen(play)
  const next: Play = {
    ...open,
    counted,
    furthest: furthestOf(play, given, weights),
    ended: play.ended || given.event === 'complete' || given.event === 'dismiss',
    lastAt: given.at > play.lastAt ? given.at : play.lastAt,
  }
  const settled = next.ended ? settle(next) : { play: next, counts: [] }
  return { play: settled.play, counts: [...counts, ...takenBack, ...settled.counts] }
}

/** Counts a drop-off where the visitor left. */
export function settle(play: Play): { readonly play: Play; readonly counts: readonly Count[] } {
  const { furthest, counted, lastAt } = play
  const stayed =
    furthest === null || counted.has('complete') || counted.has(keyOf('step_complete', furthest.step))
  if (stayed) return { play: { ...play, settled: true, dropped: null }, counts: [] }
  const dropped = { step: furthest.step, day: dayOf(lastAt) }
  return { play: { ...play, settled: true, dropped }, counts: [dropOff(dropped, 1)] }
}

/** Takes the drop-off of a settled play back. */
function reopen(play: Play): { readonly play: Play; readonly counts: readonly Count[] } {
  const counts = play.dropped === null ? [] : [dropOff(play.dropped, -1)]
  return { play: { ...play, settled: false, dropped: null }, counts }
}

function dropOff({ step, day }: { readonly step: string; readonly day: string }, by: 1 | -1): Count {
  return { day, step, counter: 'drop_offs', by, seconds: null }
}

function furthestOf(play: Play, { event, stepId }: PlayEvent, weights: ReadonlyMap<string, number>) {
  if (stepId === null || event === 'step_missing') return play.furthest
  const weight = weights.get(stepId) ?? 0
  return play.furthest === null || weight > play.furthest.weight ? { step: stepId, weight } : play.furthest
}

function keyOf(event: PlayEventName, stepId: string | null): string {
  return isAboutStep(event) ? `${event} ${stepId ?? ''}` : event
}

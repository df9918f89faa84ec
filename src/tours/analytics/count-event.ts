import { type Count, dayOf, type Play, type PlayEvent, type PlayEventName } from './play.ts'

/**
 * What must have happened before, although nobody told us: requests get lost, and a visitor who completed a tour has
 * started it. A visitor who dismissed a tour has seen it, and no more than that. Whatever happened at a step, they saw it.
 */
const before: Readonly<Record<PlayEventName, readonly PlayEventName[]>> = {
  view: [],
  start: ['view'],
  step_view: ['view'],
  step_complete: ['view'],
  complete: ['view', 'start'],
  dismiss: ['view'],
}

const counters: Readonly<Record<PlayEventName, Count['what']>> = {
  view: 'views',
  start: 'starts',
  step_view: 'views',
  step_complete: 'completions',
  complete: 'completions',
  dismiss: 'dismissals',
}

export const isAboutStep = (event: PlayEventName): boolean =>
  event === 'step_view' || event === 'step_complete'

/** Counts an event by itself, when nobody says which play it belongs to. */
export function countAlone({ event, stepId, duration, at }: PlayEvent): readonly Count[] {
  const day = dayOf(at)
  const step = isAboutStep(event) ? stepId : null
  const count: Count = { day, step, what: counters[event], by: 1, seconds: duration }
  return event === 'dismiss' && stepId !== null ? [count, dropOff({ step: stepId, day }, 1)] : [count]
}

/**
 * Takes an event into a play. The same event counts once; what it implies counts with it.
 *
 * | a play is | on | then |
 * |---|---|---|
 * | going on | any event | going on |
 * | going on | `complete`, `dismiss` | over: settled at once |
 * | going on | silence for 30 minutes | settled by the clock |
 * | settled | any new event | the drop-off is taken back, and the play goes on or is settled again |
 *
 * Settling counts a drop-off at the furthest step that was seen, unless it was completed, or the tour was.
 */
export function takeEvent(
  play: Play,
  given: PlayEvent,
  weights: ReadonlyMap<string, number>,
): { readonly play: Play; readonly counts: readonly Count[] } {
  if (play.counted.has(keyOf(given.event, given.stepId))) return { play, counts: [] }
  const counted = new Set(play.counted)
  const counts: Count[] = []
  const seen: readonly PlayEventName[] = given.stepId === null ? [] : ['step_view']
  for (const event of new Set([...before[given.event], ...seen, given.event])) {
    const step = isAboutStep(event) ? given.stepId : null
    const key = keyOf(event, step)
    if (counted.has(key)) continue
    counted.add(key)
    const seconds = event === given.event ? given.duration : null
    counts.push({ day: dayOf(given.at), step, what: counters[event], by: 1, seconds })
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

/** Says where the visitor left, once it is clear that they did. */
export function settle(play: Play): { readonly play: Play; readonly counts: readonly Count[] } {
  const { furthest, counted, lastAt } = play
  const stayed =
    furthest === null || counted.has('complete') || counted.has(keyOf('step_complete', furthest.step))
  if (stayed) return { play: { ...play, settled: true, dropped: null }, counts: [] }
  const dropped = { step: furthest.step, day: dayOf(lastAt) }
  return { play: { ...play, settled: true, dropped }, counts: [dropOff(dropped, 1)] }
}

/** Takes back where the visitor seemed to have left. */
function reopen(play: Play): { readonly play: Play; readonly counts: readonly Count[] } {
  const counts = play.dropped === null ? [] : [dropOff(play.dropped, -1)]
  return { play: { ...play, settled: false, dropped: null }, counts }
}

function dropOff({ step, day }: { readonly step: string; readonly day: string }, by: 1 | -1): Count {
  return { day, step, what: 'drop_offs', by, seconds: null }
}

function furthestOf(play: Play, { stepId }: PlayEvent, weights: ReadonlyMap<string, number>) {
  if (stepId === null) return play.furthest
  const weight = weights.get(stepId) ?? 0
  return play.furthest === null || weight > play.furthest.weight ? { step: stepId, weight } : play.furthest
}

function keyOf(event: PlayEventName, stepId: string | null): string {
  return isAboutStep(event) ? `${event} ${stepId ?? ''}` : event
}

import { expect, test } from 'vitest'
import { applyEvent, countWithoutPlay, settle } from './count-event.ts'
import { type Count, newPlay, type Play, type PlayEventName } from './play.ts'

const weights = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 3],
])
const start = Date.parse('2026-03-01T12:00:00Z')

interface Told {
  readonly event: PlayEventName
  readonly step?: string
  readonly duration?: number
  readonly afterMinutes?: number
}

function play(told: readonly Told[], from: Play = newPlay(new Date(start))) {
  let current = from
  const counts: Count[] = []
  for (const { event, step = null, duration = null, afterMinutes = 0 } of told) {
    const at = new Date(start + afterMinutes * 60_000)
    const taken = applyEvent(current, { event, stepId: step, duration, at }, weights)
    current = taken.play
    counts.push(...taken.counts)
  }
  return { play: current, sums: sumOf(counts) }
}

function sumOf(counts: readonly Count[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { step, counter, by } of counts) {
    const name = step === null ? counter : `${step} ${counter}`
    sums[name] = (sums[name] ?? 0) + by
  }
  return sums
}

test('a complete play counts every event once', () => {
  const { play: ended, sums } = play([
    { event: 'view' },
    { event: 'step_view', step: 'a' },
    { event: 'start' },
    { event: 'step_complete', step: 'a', duration: 3 },
    { event: 'step_view', step: 'b' },
    { event: 'step_complete', step: 'b' },
    { event: 'complete', duration: 20 },
    { event: 'complete' },
    { event: 'step_view', step: 'a' },
  ])
  expect(sums).toEqual({
    views: 1,
    starts: 1,
    completions: 1,
    'a views': 1,
    'a completions': 1,
    'b views': 1,
    'b completions': 1,
  })
  expect(ended).toMatchObject({ ended: true, settled: true, dropped: null })
})

test('implied earlier events are counted although they were not reported', () => {
  expect(play([{ event: 'complete' }]).sums).toEqual({ views: 1, starts: 1, completions: 1 })
  expect(play([{ event: 'start' }]).sums).toEqual({ views: 1, starts: 1 })
  expect(play([{ event: 'step_complete', step: 'b' }]).sums).toEqual({
    views: 1,
    'b views': 1,
    'b completions': 1,
  })
  expect(play([{ event: 'dismiss' }]).sums).toEqual({ views: 1, dismissals: 1 })
})

test('only the event itself has a duration', () => {
  const at = new Date(start)
  const { counts } = applyEvent(newPlay(at), { event: 'complete', stepId: null, duration: 9, at }, weights)
  expect(counts.map(({ counter, seconds }) => [counter, seconds])).toEqual([
    ['views', null],
    ['starts', null],
    ['completions', 9],
  ])
})

test('dismissing a tour counts a drop-off at the furthest step seen', () => {
  const { sums, play: ended } = play([
    { event: 'step_view', step: 'a' },
    { event: 'step_view', step: 'b' },
    { event: 'step_view', step: 'a' },
    { event: 'dismiss' },
  ])
  expect(sums).toMatchObject({ dismissals: 1, 'b drop_offs': 1 })
  expect(sums['a drop_offs']).toBeUndefined()
  expect(ended.dropped).toEqual({ step: 'b', day: '2026-03-01' })
})

test('a dismissal can say at which step it happened', () => {
  expect(play([{ event: 'dismiss', step: 'c' }]).sums).toEqual({
    views: 1,
    'c views': 1,
    dismissals: 1,
    'c drop_offs': 1,
  })
})

test('a completed step counts no drop-off', () => {
  const { sums } = play([{ event: 'step_complete', step: 'a' }, { event: 'dismiss' }])
  expect(sums['a drop_offs']).toBeUndefined()
})

test('silence settles a play, and a later event takes the drop-off back', () => {
  const silent = settle(play([{ event: 'step_view', step: 'b' }]).play)
  expect(sumOf(silent.counts)).toEqual({ 'b drop_offs': 1 })
  expect(silent.play.settled).toBe(true)
  const back = play([{ event: 'step_complete', step: 'b', afterMinutes: 40 }], silent.play)
  expect(back.sums).toEqual({ 'b completions': 1, 'b drop_offs': -1 })
  expect(back.play).toMatchObject({ settled: false, dropped: null })
  const repeated = play([{ event: 'step_view', step: 'b' }], silent.play)
  expect(repeated.sums).toEqual({})
  expect(repeated.play.settled).toBe(true)
})

test('a late event after a dismissal moves the drop-off', () => {
  const { play: ended } = play([{ event: 'step_view', step: 'a' }, { event: 'dismiss' }])
  const late = play([{ event: 'step_view', step: 'b' }], ended)
  expect(late.sums).toEqual({ 'b views': 1, 'a drop_offs': -1, 'b drop_offs': 1 })
})

test('without a play every event counts by itself', () => {
  const at = new Date(start)
  const alone = (event: PlayEventName, stepId: string | null = null) =>
    sumOf(countWithoutPlay({ event, stepId, duration: null, at }))
  expect(alone('complete')).toEqual({ completions: 1 })
  expect(alone('view', 'a')).toEqual({ views: 1 })
  expect(alone('step_view', 'a')).toEqual({ 'a views': 1 })
  expect(alone('dismiss', 'a')).toEqual({ dismissals: 1, 'a drop_offs': 1 })
})

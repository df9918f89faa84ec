import type { Trace, TracedStep } from '../executions/execution-queries.ts'

/** A time span of a step: waiting, an attempt or a pause. */
export interface Bar {
  readonly kind: 'waiting' | 'failed try' | 'pause' | 'running' | TracedStep['state']
  /** `from` and `length` are shares of the chart width, 0 to 1. */
  readonly from: number
  readonly length: number
  readonly seconds: number
}

export interface GanttRow {
  readonly step: TracedStep
  readonly bars: readonly Bar[]
}

/** A time in which no worker ran the execution: it has the same narrow width whatever its length. */
interface Break {
  readonly from: number
  readonly length: number
  readonly seconds: number
}

export interface Gantt {
  readonly rows: readonly GanttRow[]
  /** The duration the chart spans, without the breaks. */
  readonly seconds: number
  readonly breaks: readonly Break[]
  /** The place of a time after the start, as a share of the chart width. Breaks do not count. */
  readonly placeOf: (seconds: number) => number
}

type Timed = Pick<Trace, 'steps' | 'created_at' | 'started_at' | 'finished_at' | 'idle' | 'within'>

/** Shorter breaks are drawn as they are. */
const shortestBreak = 0.5
const breakWidth = 0.06
/** All breaks together take at most this share of the chart. */
const maxBreakWidth = 0.4

/** The steps of an execution over time, in flow order, so that no row moves during the run. `now` in epoch seconds. */
export function ganttOf(trace: Timed, now: number): Gantt {
  const { steps, idle } = trace
  const [start, end] = rangeOf(trace, now)
  const pauses = idle
    .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to, end) }))
    .filter(({ from, to }) => to - from >= shortestBreak)
  const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0)
  // An execution without measurable duration still has a width.
  const seconds = Math.max(end - start - paused, 0.001)
  const share = pauses.length === 0 ? 0 : Math.min(breakWidth, maxBreakWidth / pauses.length)
  const perSecond = (1 - share * pauses.length) / seconds

  /** The share of the chart width left of a moment. */
  function shareOf(at: number): number {
    let place = (at - start) * perSecond
    for (const { from, to } of pauses) {
      const passed = Math.min(Math.max(at - from, 0), to - from)
      place += passed * (share / (to - from) - perSecond)
    }
    return place
  }
  const bar = (kind: Bar['kind'], since: number, to: number): Bar[] => {
    // A step of a scope may be ready before the scope begins.
    const from = Math.max(since, start)
    return to <= from
      ? []
      : [{ kind, from: shareOf(from), length: shareOf(to) - shareOf(from), seconds: to - from }]
  }
  return {
    rows: steps.map((step) => ({ step, bars: barsOf(step, end, bar) })),
    seconds,
    breaks: pauses.map(({ from, to }) => ({ from: shareOf(from), length: share, seconds: to - from })),
    placeOf(after) {
      let at = start + after
      for (const { from, to } of pauses) if (from < at) at += to - from
      return shareOf(at)
    },
  }
}

/** The first and the last moment of the chart. */
function rangeOf(
  { steps, created_at, started_at, finished_at, within }: Timed,
  now: number,
): [start: number, end: number] {
  const starts = steps.flatMap(({ started_at: at }) => at ?? [])
  const ends = steps.map(({ finished_at: at }) => at ?? 0)
  // A scope has no times of its own.
  if (within !== null && starts.length > 0) {
    const isRunning = steps.some(({ state }) => state === 'running' || state === 'suspended')
    const start = Math.min(...starts)
    return [start, Math.max(start, isRunning ? now : 0, ...ends)]
  }
  // A step can start before the server has stored the start of its execution.
  const start = Math.min(started_at ?? created_at, ...starts)
  return [start, Math.max(finished_at ?? now, start, ...ends)]
}

function barsOf(
  { state, ready_at: ready, started_at: started, attempts }: TracedStep,
  end: number,
  bar: (kind: Bar['kind'], from: number, to: number) => Bar[],
): Bar[] {
  const bars = ready === null ? [] : bar('waiting', ready, started ?? (state === 'waiting' ? end : ready))
  attempts.forEach((attempt, index) => {
    const next = attempts[index + 1]
    const to = attempt.finished_at ?? end
    if (next === undefined) {
      // A step without measurable duration still has a visible bar.
      bars.push(...bar(state, attempt.started_at, Math.max(to, attempt.started_at + shortest)))
      return
    }
    bars.push(...bar('failed try', attempt.started_at, Math.max(to, attempt.started_at + shortest)))
    bars.push(...bar('pause', to, next.started_at))
  })
  return bars
}

const shortest = 0.0005

/** The tick marks of the axis: round values, few enough for their labels, none at the very end. */
export function ticksOf(seconds: number, most = 4): number[] {
  const rough = seconds / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  return Array.from({ length: Math.ceil(seconds / step) }, (_, index) => index * step)
}

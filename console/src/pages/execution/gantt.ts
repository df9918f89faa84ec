import type { Trace, TracedStep } from '../executions/execution-queries.ts'

/** A stretch of time in the life of a step. */
export interface Bar {
  readonly kind: 'waiting' | 'failed try' | 'pause' | 'running' | TracedStep['state']
  /** Shares of the whole width, 0 to 1. */
  readonly from: number
  readonly length: number
  readonly seconds: number
}

export interface GanttRow {
  readonly step: TracedStep
  readonly bars: readonly Bar[]
}

export interface Gantt {
  readonly rows: readonly GanttRow[]
  /** Seconds from its left to its right. */
  readonly seconds: number
}

type Timed = Pick<Trace, 'steps' | 'created_at' | 'started_at' | 'finished_at'>

/** The steps of an execution over time, in the order of the flow, so that no row moves while it runs. `now` in epoch seconds. */
export function ganttOf({ steps, created_at, started_at, finished_at }: Timed, now: number): Gantt {
  // A step can begin before the server has written down that its execution did.
  const start = Math.min(started_at ?? created_at, ...steps.flatMap(({ started_at: at }) => at ?? []))
  const end = Math.max(finished_at ?? now, start, ...steps.map(({ finished_at: at }) => at ?? 0))
  // An execution that took no measurable time still has a width.
  const seconds = Math.max(end - start, 0.001)
  const bar = (kind: Bar['kind'], from: number, to: number): Bar[] =>
    to <= from
      ? []
      : [{ kind, from: (from - start) / seconds, length: (to - from) / seconds, seconds: to - from }]
  return { rows: steps.map((step) => ({ step, bars: barsOf(step, end, bar) })), seconds }
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
      // What took less than can be measured is still there to be seen.
      bars.push(...bar(state, attempt.started_at, Math.max(to, attempt.started_at + shortest)))
      return
    }
    bars.push(...bar('failed try', attempt.started_at, Math.max(to, attempt.started_at + shortest)))
    bars.push(...bar('pause', to, next.started_at))
  })
  return bars
}

const shortest = 0.0005

/** Moments to mark on the axis: round ones, few enough for their words, and none at the very end. */
export function ticksOf(seconds: number, most = 4): number[] {
  const rough = seconds / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  return Array.from({ length: Math.ceil(seconds / step) }, (_, index) => index * step)
}

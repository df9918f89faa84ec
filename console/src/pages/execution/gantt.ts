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

export interface Gantt {
  readonly rows: readonly GanttRow[]
  /** The duration the chart spans. */
  readonly seconds: number
}

type Timed = Pick<Trace, 'steps' | 'created_at' | 'started_at' | 'finished_at'>

/** The steps of an execution over time, in flow order, so that no row moves during the run. `now` in epoch seconds. */
export function ganttOf({ steps, created_at, started_at, finished_at }: Timed, now: number): Gantt {
  // A step can start before the server has stored the start of its execution.
  const start = Math.min(started_at ?? created_at, ...steps.flatMap(({ started_at: at }) => at ?? []))
  const end = Math.max(finished_at ?? now, start, ...steps.map(({ finished_at: at }) => at ?? 0))
  // An execution without measurable duration still has a width.
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

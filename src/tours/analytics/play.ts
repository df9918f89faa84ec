/** The events of a play; the schema of the event route describes each. */
export const playEvents = [
  'view',
  'start',
  'step_view',
  'step_complete',
  'step_missing',
  'complete',
  'dismiss',
] as const
export type PlayEventName = (typeof playEvents)[number]

export interface PlayEvent {
  readonly event: PlayEventName
  /** The step of a step event; a dismissal may name one as well. */
  readonly stepId: string | null
  /** Seconds spent on the step, or on the whole play. */
  readonly duration: number | null
  readonly at: Date
}

/** The state of one play of a tour by a visitor. */
export interface Play {
  /** The counted events, as `event` or `event step`. */
  readonly counted: ReadonlySet<string>
  readonly furthest: { readonly step: string; readonly weight: number } | null
  readonly ended: boolean
  /** The counted drop-off. */
  readonly dropped: { readonly step: string; readonly day: string } | null
  readonly settled: boolean
  readonly lastAt: Date
}

export const newPlay = (at: Date): Play => ({
  counted: new Set(),
  furthest: null,
  ended: false,
  dropped: null,
  settled: false,
  lastAt: at,
})

/** An increment or decrement of a daily counter. `step` is null for a counter of the tour. */
export interface Count {
  readonly day: string
  readonly step: string | null
  readonly counter: 'views' | 'starts' | 'completions' | 'dismissals' | 'drop_offs' | 'missing'
  readonly by: 1 | -1
  readonly seconds: number | null
}

/** The day in UTC, the same for every visitor and every replica. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

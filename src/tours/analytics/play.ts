/** What a player tells of: the first step appeared, the visitor went on, saw a step, was done with it, ended the tour. */
export const playEvents = ['view', 'start', 'step_view', 'step_complete', 'complete', 'dismiss'] as const
export type PlayEventName = (typeof playEvents)[number]

export interface PlayEvent {
  readonly event: PlayEventName
  /** Which step, for those that are about one. */
  readonly stepId: string | null
  /** Seconds: of the step, or of the whole play. */
  readonly duration: number | null
  readonly at: Date
}

/** What is known of one visitor's way through a tour. */
export interface Play {
  /** What was counted already, as `event` or `event step`. */
  readonly counted: ReadonlySet<string>
  readonly furthest: { readonly step: string; readonly weight: number } | null
  readonly ended: boolean
  /** Where the visitor left, as it was counted. */
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

/** One more, or one less, of something on a day. `step` is null for what is about the whole tour. */
export interface Count {
  readonly day: string
  readonly step: string | null
  readonly what: 'views' | 'starts' | 'completions' | 'dismissals' | 'drop_offs'
  readonly by: 1 | -1
  readonly seconds: number | null
}

/** The day of a moment, in UTC: the same for every visitor and every replica. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** What the abusive account is told to do, all at once and without pauses. */
export interface AbuseOptions {
  readonly url: string
  readonly key: string
  /** Loops that start executions. */
  readonly starters: number
  /** Loops that read lists. */
  readonly readers: number
  /** Loops that keep an event stream open. */
  readonly streams: number
}

/** What it got. */
export interface AbuseReport {
  answered: number
  refused: number
}

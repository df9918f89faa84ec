/** What the benchmark and its two processes say to each other. */
export type ToServer =
  | { readonly ask: 'memory' }
  | { readonly ask: 'cpu' }
  /** Adds so many events at once. */
  | { readonly ask: 'tell'; readonly run: number; readonly count: number }

export interface FromServer {
  readonly port?: number
  readonly residentBytes?: number
  readonly cpuMs?: number
  /** When the events were handed over, in milliseconds since 1970. */
  readonly toldAt?: number
}

export type ToClients =
  | { readonly ask: 'open'; readonly port: number; readonly path: string; readonly count: number }
  /** Answers once each stream has heard the last of so many events of a run. */
  | { readonly ask: 'hear'; readonly run: number; readonly count: number }

export interface FromClients {
  readonly opened?: number
  /** When each stream heard the last event, in milliseconds since 1970. */
  readonly heardAt?: readonly number[]
}

/** The same in every process of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

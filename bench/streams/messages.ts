/** The messages between the benchmark and its two processes. */
export type ToServer =
  | { readonly ask: 'memory' }
  | { readonly ask: 'cpu' }
  /** Adds this number of events at once. */
  | { readonly ask: 'tell'; readonly run: number; readonly count: number }

export interface FromServer {
  readonly port?: number
  readonly residentBytes?: number
  readonly cpuMs?: number
  /** When the events were added, in milliseconds since 1970. */
  readonly toldAt?: number
}

export type ToClients =
  | { readonly ask: 'open'; readonly port: number; readonly path: string; readonly count: number }
  /** Responds when each stream has received the last of this number of events of a run. */
  | { readonly ask: 'hear'; readonly run: number; readonly count: number }

export interface FromClients {
  readonly opened?: number
  /** When each stream received the last event, in milliseconds since 1970. */
  readonly heardAt?: readonly number[]
}

/** The same clock in every process of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

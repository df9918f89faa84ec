import type { Database } from '#kernel/database'

/** The data of the heartbeat thread, which shares nothing else with the main thread. */
export interface HeartbeatData {
  readonly connection: ReturnType<Database['connectionOptions']>
  readonly workerId: string
  readonly heartbeatMs: number
  readonly deadAfterMs: number
  readonly hungAfterMs: number
  /** Two numbers that both threads can read, even while the main loop is busy. */
  readonly shared: Int32Array
}

/** Index of a counter that the main loop increments. */
export const mainTicks = 0
/** Index of a flag: 1 while the database was recently unreachable. */
export const unstable = 1

export type HeartbeatMessage =
  | { readonly kind: 'gone'; readonly workerId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'recovered' }

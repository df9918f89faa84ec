import type { Database } from '#kernel/database'

/** What the heartbeat thread is started with: plain data, since it shares nothing else with the main thread. */
export interface HeartbeatData {
  readonly connection: ReturnType<Database['connectionOptions']>
  readonly workerId: string
  readonly heartbeatMs: number
  readonly deadAfterMs: number
  readonly hungAfterMs: number
  /** Two numbers both threads see at once, even while the main loop is busy. */
  readonly shared: Int32Array
}

/** Counted up by the main loop while it turns. */
export const mainTicks = 0
/** 1 while the database was out of reach not long ago. */
export const unsteady = 1

export type HeartbeatMessage =
  | { readonly kind: 'gone'; readonly workerId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'recovered' }

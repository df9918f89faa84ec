/** How fast workers notice things. All times are measured by the database's clock. */
export interface WorkerTiming {
  readonly heartbeatMs: number
  /** Without a heartbeat for this long, a worker is dead. */
  readonly deadAfterMs: number
  /** A main loop that has not turned for this long gets no more heartbeats. */
  readonly hungAfterMs: number
  /** How often queues are looked at although nobody knocked, claims are checked, and the dead are looked for. */
  readonly pollMs: number
}

export const defaultTiming: WorkerTiming = {
  heartbeatMs: 2000,
  deadAfterMs: 10_000,
  hungAfterMs: 30_000,
  pollMs: 1000,
}

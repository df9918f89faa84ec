/** Intervals and timeouts of workers, by the clock of the database. */
export interface WorkerTiming {
  readonly heartbeatMs: number
  /** A worker without a heartbeat for this long is dead. */
  readonly deadAfterMs: number
  /** A main loop that hangs for this long gets no more heartbeats. */
  readonly hungAfterMs: number
  /** Interval at which queues are polled, claims are checked and dead workers are swept. */
  readonly pollMs: number
}

export const defaultTiming: WorkerTiming = {
  heartbeatMs: 2000,
  deadAfterMs: 10_000,
  hungAfterMs: 30_000,
  pollMs: 1000,
}

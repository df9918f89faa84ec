import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface EventLoopWatch {
  /** Whether tasks waited longer than the limit, on average, over the last window. */
  isLate(): boolean
  close(): void
}

export interface EventLoopWatchOptions {
  readonly limitMs: number
  readonly windowMs: number
}

/** Watches how long the event loop keeps its tasks waiting. A window without a sample is no evidence of anything. */
export function watchEventLoop({ limitMs, windowMs }: EventLoopWatchOptions): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let late = false
  const timer = setInterval(() => {
    late = delays.count > 0 && delays.mean / 1e6 > limitMs
    delays.reset()
  }, windowMs)
  timer.unref()
  return {
    isLate: () => late,
    close() {
      clearInterval(timer)
      delays.disable()
    },
  }
}

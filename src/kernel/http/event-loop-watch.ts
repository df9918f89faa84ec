import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface EventLoopWatch {
  /** Whether tasks waited longer than the limit, on average, over the last two windows each. */
  isLate(): boolean
  close(): void
}

export interface EventLoopWatchOptions {
  readonly limitMs: number
  readonly windowMs: number
}

/**
 * Watches how long the event loop keeps its tasks waiting. A window without a sample is no evidence of anything, and one
 * late window may be a single long task that is over by now; two in a row are more than that.
 */
export function watchEventLoop({ limitMs, windowMs }: EventLoopWatchOptions): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let late = false
  let lateBefore = false
  const timer = setInterval(() => {
    if (delays.count === 0) return
    const lateNow = delays.mean / 1e6 > limitMs
    late = lateNow && lateBefore
    lateBefore = lateNow
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

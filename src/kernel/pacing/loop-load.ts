/** Measures the part of the time in which the event loop was busy since the last call, from 0 to 1. */
export function createLoopLoad(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, before)
    before = current
    return utilization
  }
}

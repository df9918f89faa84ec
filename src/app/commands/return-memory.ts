import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLoopLoad } from '#kernel/pacing'

interface ReturnMemoryOptions {
  readonly everyMs?: number
  /** The part of the time since the last call in which the main loop was busy. */
  readonly utilization?: () => number
  readonly collect?: () => void
}

/**
 * Returns memory to the system whenever the process becomes idle. The start, and later each burst of work, leaves a heap that is mostly
 * free; V8 keeps it until a collection under memory pressure, which an idle process never has.
 *
 * | state | in the last interval      | then          | next |
 * |-------|---------------------------|---------------|------|
 * | busy  | busy for less than 5 %    | collects once | idle |
 * | idle  | busy for more than 20 %   |               | busy |
 */
export function returnMemoryWhenIdle({
  everyMs = 10_000,
  utilization = createLoopLoad(),
  collect = () => collectGarbage(),
}: ReturnMemoryOptions = {}): Disposable {
  let wasBusy = true
  const timer = setInterval(() => {
    const busy = utilization()
    if (busy > 0.2) wasBusy = true
    else if (wasBusy && busy < 0.05) {
      wasBusy = false
      collect()
    }
  }, everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** A collection pauses the process for some 3 ms per megabyte in use; requests should not wait longer than for half a second. */
const usualMaxHeapBytes = 128 * 1024 * 1024

/** Collects all garbage and gives free pages back. Does nothing for a larger heap. */
export function collectGarbage(maxHeapBytes = usualMaxHeapBytes): void {
  if (process.memoryUsage().heapUsed > maxHeapBytes) return
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

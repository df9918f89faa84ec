import type { Engine } from '#engine'
import type { WorkerDirectory } from '#kernel/work'
import type { Probe } from '../services/service.ts'

interface QueueProbeOptions {
  readonly engine: Pick<Engine, 'activity' | 'history'>
  readonly workers: WorkerDirectory
  /** How long work may be expected to wait. */
  readonly maxWaitMs: number
}

const executionQueue = 'executions'

/** Looks whether somebody works, and how long new work would wait. */
export function createQueueProbe({ engine, workers, maxWaitMs }: QueueProbeOptions): Probe {
  return async () => {
    const [known, open] = await Promise.all([workers.list(), engine.activity.open()])
    const serving = known.filter(({ alive, queues }) => alive && queues.includes(executionQueue))
    if (serving.length === 0) return { state: 'offline', problem: 'No worker runs: nothing is worked on.' }
    const due = open.queued - open.parked
    if (due > 0 && open.running === 0) {
      return { state: 'degraded', problem: `${due} executions wait, and none runs.` }
    }
    const { waitMs } = await engine.history.waitAt(due + 1)
    if (due > 0 && waitMs !== null && waitMs > maxWaitMs) {
      const problem = `${due} executions wait, and a new one would for about ${Math.round(waitMs / 1000)} s.`
      return { state: 'degraded', problem }
    }
    return { state: 'online', problem: null }
  }
}

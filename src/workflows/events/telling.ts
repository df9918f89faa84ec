import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Audience, EstimateExecution, Telling } from '#runs'
import type { Webhooks } from '#webhooks'
import { createTellByTheClock } from './tell-by-the-clock.ts'
import { tellers } from './tellers.ts'
import { createWatchDurations } from './watch-durations.ts'

interface WorkflowsTellingOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly audience: Audience
  readonly estimate: EstimateExecution
}

/** What this interface tells others of executions. */
export function createWorkflowsTelling(options: WorkflowsTellingOptions): Telling {
  const { engine, audience } = options
  return {
    tellers,
    watchers: [createWatchDurations({ history: engine.history, audience })],
    turns: [createTellByTheClock(options)],
  }
}

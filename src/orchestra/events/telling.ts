import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { EstimateExecution, Telling } from '#runs'
import type { Webhooks } from '#webhooks'
import { createWatchAgents } from './agents/watch-agents.ts'
import { costThreshold } from './costs.ts'
import { createWatchDayLimits } from './day-limits/watch-day-limits.ts'
import { completed, failed } from './ended.ts'
import { createFeedLive } from './live/feed-live.ts'
import type { Watch } from './live/watch.ts'
import { progress } from './progress.ts'
import { forgetTold } from './told-lately.ts'

interface OrchestraTellingOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history'>
  readonly events: Pick<Events, 'append' | 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly estimate: EstimateExecution
  readonly watch: Pick<Watch, 'isWatched'>
  /** What an account has spent on this day, and what it may spend on one, in micro-dollars; undefined when there is no such account. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number }>
  readonly dayLimitOf: (accountId: string) => Promise<number | undefined>
}

const forgetEveryMs = 3_600_000

/** What this interface tells others of executions. Its feed appends to the event log, so it stands last among tellings. */
export function createOrchestraTelling(options: OrchestraTellingOptions): Telling {
  const { database, engine } = options
  const { isWatched } = options.watch
  const agents = createWatchAgents({ ...options, history: engine.history, isWatched })
  const dayLimits = createWatchDayLimits({ ...options, isWatched })
  let forgottenAtMs = performance.now()

  async function forget(): Promise<void> {
    if (performance.now() - forgottenAtMs < forgetEveryMs) return
    forgottenAtMs = performance.now()
    await forgetTold(database)
  }

  return {
    tellers: [completed, failed, progress, costThreshold],
    watchers: [agents.watcher, dayLimits.watcher],
    feeds: [createFeedLive({ ...options, isWatched })],
    turns: [agents.turn, dayLimits.turn, forget],
  }
}

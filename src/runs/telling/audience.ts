import type { EngineOptions, Happening } from '#engine'
import type { Database } from '#kernel/database'
import type { Executor } from '#kernel/work'
import type { Notices } from '#notices'
import type { Wanted, Webhooks } from '#webhooks'
import { wantsNotices } from './notice-wishes.ts'
import { progressEveryMs } from './progress-interval.ts'
import { createShortMemory } from './short-memory.ts'

/** Who listens to executions. */
export interface Audience extends AsyncDisposable {
  /** For the engine: whether somebody listens to an execution that runs here. */
  readonly publishes: NonNullable<EngineOptions['publishes']>
  /** Executions that run here and are to be told of by the clock, with how often. */
  readonly byTheClock: Map<string, number>
  /** By the id of the execution; one that nobody listens to is not there. */
  wantedOf(
    executor: Executor,
    happenings: readonly Pick<Happening, 'executionId' | 'accountId'>[],
  ): Promise<ReadonlyMap<string, Wanted>>
  /** Whether an account was told of an event about a subject in the last hour. */
  wasToldLately(executor: Executor, accountId: string, event: string, subject: string): Promise<boolean>
}

/** Whether an account has webhooks is asked again this often, in case we were not told that it has some now. */
const keepMs = 2000

const hourMs = 3_600_000

interface AudienceOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly webhooks: Pick<Webhooks, 'listeners'>
  /** Absent where neither mail is sent nor anything to Slack. */
  readonly notices?: Pick<Notices, 'configured'> | undefined
  /** Whether somebody else listens to all executions. */
  readonly isWatched?: (() => boolean) | undefined
}

export function createAudience({
  database,
  webhooks: { listeners },
  notices,
  isWatched = () => false,
}: AudienceOptions): Audience {
  const byTheClock = new Map<string, number>()
  const hasWebhooks = createShortMemory({
    keepMs,
    nameOf: (accountId: string) => accountId,
    ask: (accountId) => listeners.hasAny(database, accountId),
  })
  // Without the subscription what is known is a little old, and nothing worse.
  const subscription = listeners.onNew(database, (accountId) => hasWebhooks.forget(accountId)).catch(() => {})

  return {
    byTheClock,

    async publishes({ id, account_id: accountId, input }) {
      const everyMs = progressEveryMs(input)
      if (everyMs !== undefined) byTheClock.set(id, everyMs)
      if (notices !== undefined && wantsNotices(input, notices.configured)) return true
      if (isWatched() || input.callbacks?.['webhook_url'] !== undefined) return true
      return await hasWebhooks(accountId)
    },

    wantedOf: (executor, happenings) =>
      listeners.wantedOf(
        executor,
        happenings.map(({ executionId: subject, accountId }) => ({ subject, accountId })),
      ),

    wasToldLately: (executor, accountId, event, subject) =>
      listeners.wasTold(executor, { accountId, subject, event, withinMs: hourMs }),

    async [Symbol.asyncDispose]() {
      await (await subscription)?.[Symbol.asyncDispose]()
    },
  }
}

import type { EngineOptions, Happening } from '#engine'
import type { Database } from '#kernel/database'
import type { Executor } from '#kernel/work'
import type { Wanted, Webhooks } from '#webhooks'
import { progressEveryMs } from './progress-interval.ts'
import { createShortMemory } from './short-memory.ts'

/** Who listens to executions. */
export interface Audience {
  /** For the engine: whether somebody listens to an execution that begins here. */
  readonly publishes: NonNullable<EngineOptions['publishes']>
  /** Executions that were begun here and are to be told of by the clock, with how often. */
  readonly byTheClock: Map<string, number>
  /** By the id of the execution; one that nobody listens to is not there. */
  wantedOf(
    executor: Executor,
    happenings: readonly Pick<Happening, 'executionId' | 'accountId'>[],
  ): Promise<ReadonlyMap<string, Wanted>>
  /** Whether an account was told of an event about a subject in the last hour. */
  wasToldLately(executor: Executor, accountId: string, event: string, subject: string): Promise<boolean>
}

/** So long after a webhook has become active, executions that begin may not be told to it yet. */
const keepMs = 2000

const hourMs = 3_600_000

interface AudienceOptions {
  readonly database: Pick<Database, 'query'>
  readonly webhooks: Pick<Webhooks, 'listeners'>
}

export function createAudience({ database, webhooks: { listeners } }: AudienceOptions): Audience {
  const byTheClock = new Map<string, number>()
  const hasWebhooks = createShortMemory({
    keepMs,
    nameOf: (accountId: string) => accountId,
    ask: (accountId) => listeners.hasAny(database, accountId),
  })

  return {
    byTheClock,

    async publishes({ id, account_id: accountId, input }) {
      const everyMs = progressEveryMs(input)
      if (everyMs !== undefined) byTheClock.set(id, everyMs)
      return input.callbacks?.['webhook_url'] !== undefined || (await hasWebhooks(accountId))
    },

    wantedOf: (executor, happenings) =>
      listeners.wantedOf(
        executor,
        happenings.map(({ executionId: subject, accountId }) => ({ subject, accountId })),
      ),

    wasToldLately: (executor, accountId, event, subject) =>
      listeners.wasTold(executor, { accountId, subject, event, withinMs: hourMs }),
  }
}

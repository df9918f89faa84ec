import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { Models } from '#models'
import type { Notices } from '#notices'
import { createOrchestraTelling, type Watch } from '#orchestra'
import { type Audience, createNoticesTelling, type EstimateExecution, type Telling } from '#runs'
import type { Webhooks } from '#webhooks'
import { createWorkflowsTelling } from '#workflows'

interface TellingsOptions {
  readonly database: Database
  readonly engine: Engine
  readonly events: Events
  readonly webhooks: Webhooks
  readonly notices: Notices
  readonly audience: Audience
  readonly estimate: EstimateExecution
  readonly watch: Watch
  readonly identity: Pick<Identity, 'standingOf' | 'tiers'>
  readonly models: Pick<Models, 'spentToday'>
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

/** What is told of executions, to other systems and to people. What appends to the event log stands last. */
export function createTellings(options: TellingsOptions): readonly Telling[] {
  const { identity, models, publicUrl } = options
  const base = publicUrl?.replace(/\/$/, '')
  return [
    createWorkflowsTelling(options),
    createNoticesTelling({
      ...options,
      linkOf: (executionId) =>
        // The page of the console: people follow this link, and the API would show them JSON or refuse them.
        base === undefined ? undefined : `${base}/executions/${executionId}`,
    }),
    createOrchestraTelling({
      ...options,
      spentToday: models.spentToday,
      async dayLimitOf(accountId) {
        const standing = await identity.standingOf(accountId)
        return standing && identity.tiers.limitsOfTier(standing.tier).microDollarsPerDay
      },
    }),
  ]
}

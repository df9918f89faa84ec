import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { Outbound } from '#kernel/outbound'
import type { Vitals } from '#kernel/vitals'
import type { Worker } from '#kernel/work'
import type { Models } from '#models'
import type { Notices } from '#notices'
import type { Webhooks } from '#webhooks'
import type { Agents } from './agents/agents.ts'
import type { Watch } from './events/live/watch.ts'

/** What the routes stand on. */
export interface OrchestraOptions {
  readonly database: Database
  readonly engine: Engine
  readonly agents: Agents
  /** Which models there are, which of them would be asked, who provides them and how those are. */
  readonly models: Pick<Models, 'catalogue' | 'findModel' | 'providers' | 'answerCache'>
  /** What processes and the machine go through. */
  readonly vitals: Vitals
  /** What this platform says of itself. */
  readonly system: { readonly version: string; readonly environment: string }
  /** What an account used of today's money, and what is set aside for calls that run. Whole micro-dollars. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number; readonly reserved: number }>
  readonly tiers: Identity['tiers']
  /** Knows how often somebody has asked. */
  readonly limiter: Limiter
  /** Runs what a caller waits for; undefined where this process answers requests only, and others do the work. */
  readonly worker: Worker | undefined
  readonly idempotency: Idempotency
  /** Tells other systems what happens. */
  readonly webhooks: Webhooks
  /** Tells people what happens. */
  readonly notices: Pick<Notices, 'configured'>
  /** The address of an account's owner; undefined when there is none. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Says which addresses may be called. */
  readonly outbound: Pick<Outbound, 'checkUrl'>
  readonly events: Events
  /** Whether somebody watches. */
  readonly watch: Watch
  /** Where people reach this server, for the addresses in answers. */
  readonly publicUrl: string | undefined
}

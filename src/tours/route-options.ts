import type { FastifyReply } from 'fastify'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { Logger } from '#kernel/telemetry'
import type { ToursSettings } from './settings.ts'

/** What tours stand on. */
export interface ToursOptions {
  readonly database: Database
  readonly events: Events
  readonly idempotency: Idempotency
  /** Where people reach this server, for the addresses in answers. */
  readonly publicUrl: string | undefined
  readonly settings: ToursSettings
  readonly log: Logger
}

/** What the routes stand on besides. */
export interface ToursRouteOptions extends ToursOptions {
  /** Answers with the console, which shows the page of the address. */
  readonly sendPage: (reply: FastifyReply, options?: { readonly framesOthers?: boolean }) => FastifyReply
}

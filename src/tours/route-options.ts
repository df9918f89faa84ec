import type { FastifyReply } from 'fastify'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { Logger } from '#kernel/telemetry'
import type { ToursSettings } from './settings.ts'

/** The dependencies of tours. */
export interface ToursOptions {
  readonly database: Database
  readonly events: Events
  readonly idempotency: Idempotency
  /** The public URL of the server, for URLs in responses. */
  readonly publicUrl: string | undefined
  readonly settings: ToursSettings
  readonly log: Logger
}

export interface ToursRouteOptions extends ToursOptions {
  /** Sends the console, which shows the page of the URL. */
  readonly sendPage: (reply: FastifyReply, options?: { readonly framesAnySite?: boolean }) => FastifyReply
}

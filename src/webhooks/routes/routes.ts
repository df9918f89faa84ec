import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer, Principal, RatePolicy } from '#kernel/http'
import type { Owner } from '../management/store.ts'
import type { Api } from '../webhook.ts'
import type { Webhooks } from '../webhooks.ts'
import { addDeliveryRoutes } from './delivery-routes.ts'
import { addReadRoutes } from './read-routes.ts'
import { addSaveRoutes } from './save-routes.ts'
import { addVerifyRoutes } from './verify-routes.ts'

export interface WebhookRoutesOptions {
  readonly webhooks: Pick<Webhooks, 'subscriptions' | 'deliveries'>
  /** Of the interface, such as `/ai-workflows/api`. */
  readonly prefix: string
  readonly api: Api
  /** The events one can subscribe to. */
  readonly events: readonly string[]
  /** Where people reach this server, for the addresses in answers. */
  readonly publicUrl: string | undefined
  readonly rates: {
    readonly reads: RatePolicy
    /** For what sends something to an address. */
    readonly sends: RatePolicy
  }
}

/** What the routes of one interface share. */
export interface WebhookRoutes extends WebhookRoutesOptions {
  readonly path: string
  /** Where a path below `path` is found from outside. */
  readonly addressOf: (request: FastifyRequest, path: string) => string
  readonly ownerOf: (principal: Pick<Principal, 'id'>) => Owner
}

/** Webhooks as people manage them, each their own, in the words of one interface. */
export function addWebhookRoutes(routes: HttpServer, options: WebhookRoutesOptions): void {
  const { prefix, api, publicUrl } = options
  const path = `${prefix}/webhooks`
  const shared: WebhookRoutes = {
    ...options,
    path,
    addressOf: ({ protocol, host }, below) =>
      `${publicUrl?.replace(/\/$/, '') ?? `${protocol}://${host}`}${path}${below}`,
    ownerOf({ id }) {
      if (id === null) throw kernelFailure('authentication_required')
      return { accountId: id, api }
    },
  }
  addSaveRoutes(routes, shared)
  addReadRoutes(routes, shared)
  addVerifyRoutes(routes, shared)
  addDeliveryRoutes(routes, shared)
}

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery, type RatePolicy } from '#kernel/http'
import type { Owner } from '../management/store.ts'
import { type Api, statuses } from '../webhook.ts'
import type { Webhooks } from '../webhooks.ts'
import { addDeliveryRoutes } from './delivery-routes.ts'
import { describeSaved, describeWebhook, managesWebhooks, operationOf, webhookParams } from './describe.ts'
import { RotateBody } from './requests.ts'
import {
  ChangedWebhook,
  RotatedSecret,
  VerifiedWebhook,
  webhookListOf,
  webhookResponseOf,
} from './responses.ts'
import { addSaveRoutes } from './save-routes.ts'

export interface WebhookRoutesOptions {
  readonly webhooks: Pick<Webhooks, 'subscriptions' | 'deliveries'>
  /** Path prefix of the API, such as `/ai-workflows/api`. */
  readonly prefix: string
  readonly api: Api
  /** The events a webhook can subscribe to. */
  readonly events: readonly string[]
  /** Data of a test, by event. */
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The public URL of this server, for URLs in responses. */
  readonly publicUrl: string | undefined
  readonly rates: {
    readonly reads: RatePolicy
    /** For requests that cause a delivery. */
    readonly sends: RatePolicy
  }
}

/** Shared by the routes of one API. */
export interface WebhookRoutes extends WebhookRoutesOptions {
  readonly path: string
  /** The public URL of a path below `path`. */
  readonly publicUrlOf: (request: FastifyRequest, path: string) => string
  readonly ownerOf: (principal: Pick<Principal, 'id'>) => Owner
}

/** Adds the routes with which accounts manage their own webhooks in one API. */
export function addWebhookRoutes(routes: HttpServer, options: WebhookRoutesOptions): void {
  const { prefix, api, publicUrl } = options
  const path = `${prefix}/webhooks`
  const shared: WebhookRoutes = {
    ...options,
    path,
    publicUrlOf: ({ protocol, host }, below) =>
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

function addReadRoutes(routes: HttpServer, { path, api, rates, webhooks, ownerOf }: WebhookRoutes): void {
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.reads }

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: operationOf(api, 'listWebhooks'),
        summary: 'List webhooks',
        description: 'Lists your own webhooks, oldest first.',
        querystring: Type.Object(
          { status: Type.Optional(Type.Enum([...statuses])), ...pageQuery },
          { additionalProperties: false },
        ),
        response: { 200: webhookListOf(api) },
      },
    },
    async ({ principal, query }) => {
      const { status, limit } = query
      const found = await subscriptions.list(ownerOf(principal), { status, limit, offset: offsetOf(query) })
      return { webhooks: found.webhooks.map(describeWebhook), total: found.total }
    },
  )

  routes.get(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: operationOf(api, 'readWebhook'),
        summary: 'Get a webhook',
        params: webhookParams,
        response: { 200: webhookResponseOf(api) },
      },
    },
    async ({ principal, params }) => describeWebhook(await subscriptions.read(ownerOf(principal), params.id)),
  )
}

const tokenParams = Type.Object({
  id: Type.String({ maxLength: 100 }),
  token: Type.String({ maxLength: 200 }),
})

/** Routes to verify a webhook and to rotate its secret. */
function addVerifyRoutes(routes: HttpServer, shared: WebhookRoutes): void {
  const { path, api, rates, webhooks, publicUrlOf, ownerOf } = shared
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.sends }

  routes.post(
    `${path}/:id/verify`,
    {
      config,
      schema: {
        operationId: operationOf(api, 'verifyWebhookAgain'),
        summary: 'Restart the verification of a webhook',
        description: 'Sends a new challenge and creates a new token. The previous token becomes invalid.',
        params: webhookParams,
        response: { 200: ChangedWebhook },
      },
    },
    async (request) =>
      describeSaved(await subscriptions.verifyAgain(ownerOf(request.principal), request.params.id), (below) =>
        publicUrlOf(request, below),
      ),
  )

  for (const method of ['GET', 'POST'] as const) {
    routes.route({
      method,
      url: `${path}/:id/verify/:token`,
      config: { access: { open: 'the token is the proof' }, ratePolicy: rates.reads },
      schema: {
        operationId: operationOf(api, method === 'GET' ? 'verifyWebhook' : 'verifyWebhookByPost'),
        summary: 'Verify a webhook',
        description: 'The `verification_url` of a new webhook, valid once and for 24 hours.',
        params: tokenParams,
        response: { 200: VerifiedWebhook },
      },
      handler: async ({ params: { id, token } }) => {
        await subscriptions.verify({ id, api, token })
        return { success: true as const, webhook_id: id, status: 'active' as const }
      },
    })
  }

  routes.post(
    `${path}/:id/rotate-secret`,
    {
      config: { access: managesWebhooks, ratePolicy: rates.reads },
      schema: {
        operationId: operationOf(api, 'rotateWebhookSecret'),
        summary: 'Rotate the secret of a webhook',
        description:
          'For a day, `webhook-signature` contains a signature with each secret, and `X-Webhook-Signature-Previous` one with the previous secret. `signature` and `X-Webhook-Signature` use the new secret at once.',
        params: webhookParams,
        body: RotateBody,
        response: { 200: RotatedSecret },
      },
    },
    async ({ principal, params, body }) => {
      const { webhook, secret } = await subscriptions.rotate(ownerOf(principal), params.id, body?.secret)
      const until = webhook.previousSecretUntil
      return {
        success: true as const,
        webhook_id: webhook.id,
        secret,
        previous_secret_expires_at: until === null ? null : Math.floor(until.getTime() / 1000),
      }
    },
  )
}

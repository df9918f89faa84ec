import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { statuses } from '../webhook.ts'
import { webhookAnswerOf, webhookListOf } from './answers.ts'
import { describeWebhook } from './describe.ts'
import type { WebhookRoutes } from './routes.ts'
import { managesWebhooks, operationOf, webhookParams } from './shared.ts'

/** One's own webhooks. */
export function addReadRoutes(
  routes: HttpServer,
  { path, api, rates, webhooks, ownerOf }: WebhookRoutes,
): void {
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.reads }

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: operationOf(api, 'listWebhooks'),
        summary: 'List webhooks',
        description: 'Your own, the oldest first.',
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
        summary: 'Read a webhook',
        params: webhookParams,
        response: { 200: webhookAnswerOf(api) },
      },
    },
    async ({ principal, params }) => describeWebhook(await subscriptions.read(ownerOf(principal), params.id)),
  )
}

import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { ChangedWebhook, RotatedSecret, VerifiedWebhook } from './answers.ts'
import { describeSaved } from './describe.ts'
import { RotateBody } from './requests.ts'
import type { WebhookRoutes } from './routes.ts'
import { managesWebhooks, operationOf, webhookParams } from './shared.ts'

const tokenParams = Type.Object({
  id: Type.String({ maxLength: 100 }),
  token: Type.String({ maxLength: 200 }),
})

/** Proving that a URL wants to be told, and that what it is told comes from here. */
export function addVerifyRoutes(routes: HttpServer, shared: WebhookRoutes): void {
  const { path, api, rates, webhooks, addressOf, ownerOf } = shared
  const { subscriptions } = webhooks
  const config = { access: managesWebhooks, ratePolicy: rates.sends }

  routes.post(
    `${path}/:id/verify`,
    {
      config,
      schema: {
        operationId: operationOf(api, 'verifyWebhookAgain'),
        summary: 'Send the challenge again',
        description: 'With a new token; the one before no longer counts.',
        params: webhookParams,
        response: { 200: ChangedWebhook },
      },
    },
    async (request) =>
      describeSaved(await subscriptions.verifyAgain(ownerOf(request.principal), request.params.id), (below) =>
        addressOf(request, below),
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
        description: 'The address that creating it answered with; good for 24 hours, and once.',
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
        summary: 'Change the secret of a webhook',
        description:
          'For a day, `webhook-signature` has a signature of each, and `X-Webhook-Signature-Previous` one of the secret before. `signature` and `X-Webhook-Signature` are of the new one at once.',
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

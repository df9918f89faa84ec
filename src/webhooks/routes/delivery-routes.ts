import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { deliveryStates, testEvent } from '../webhook.ts'
import { describeDelivery, managesWebhooks, operationOf, webhookParams } from './describe.ts'
import { RedeliverBody, testBody } from './requests.ts'
import { DeliveryList, DeliveryResponse, Redelivered, RedeliveredRange, SentTest } from './responses.ts'
import type { WebhookRoutes } from './routes.ts'

const deliveryParams = Type.Object({
  id: Type.String({ maxLength: 100 }),
  delivery: Type.String({ maxLength: 100, description: '`delivery_id` of the list.' }),
})

const listQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...deliveryStates])),
    event: Type.Optional(Type.String({ maxLength: 200 })),
    subject: Type.Optional(Type.String({ maxLength: 200, description: 'Such as the id of an execution.' })),
    order: Type.Enum(['oldest', 'newest'], { default: 'oldest' }),
    as_of: Type.Optional(Type.Integer({ minimum: 0, description: '`as_of` of an earlier page.' })),
    ...pageQuery,
  },
  { additionalProperties: false },
)

/** Routes to list, read and redeliver deliveries, and to send a test. */
export function addDeliveryRoutes(
  routes: HttpServer,
  { path, api, events, samples, rates, webhooks, ownerOf }: WebhookRoutes,
): void {
  const { subscriptions, deliveries } = webhooks
  const reads = { access: managesWebhooks, ratePolicy: rates.reads }
  const sends = { access: managesWebhooks, ratePolicy: rates.sends }

  routes.get(
    `${path}/:id/deliveries`,
    {
      config: reads,
      schema: {
        operationId: operationOf(api, 'listWebhookDeliveries'),
        summary: 'List deliveries of a webhook',
        description:
          'Oldest first by default. With `order=newest`, pass the `as_of` of the first page for the following pages. For a body over 64 KiB, `data` is null and `data_omitted` is true: get the delivery by its id.',
        params: webhookParams,
        querystring: listQuery,
        response: { 200: DeliveryList },
      },
    },
    async ({ principal, params, query }) => {
      const webhook = await subscriptions.read(ownerOf(principal), params.id)
      const { as_of: asOf, page: _, ...filter } = query
      const found = await deliveries.list(webhook.id, { ...filter, asOf, offset: offsetOf(query) })
      return {
        deliveries: found.deliveries.map((delivery) => describeDelivery(webhook, delivery)),
        total: found.total,
        as_of: found.asOf,
      }
    },
  )

  routes.get(
    `${path}/:id/deliveries/:delivery`,
    {
      config: reads,
      schema: {
        operationId: operationOf(api, 'readWebhookDelivery'),
        summary: 'Get a delivery',
        params: deliveryParams,
        response: { 200: DeliveryResponse },
      },
    },
    async ({ principal, params }) => {
      const webhook = await subscriptions.read(ownerOf(principal), params.id)
      return describeDelivery(webhook, await deliveries.read(webhook.id, params.delivery))
    },
  )

  routes.post(
    `${path}/:id/deliveries/:delivery/redeliver`,
    {
      config: sends,
      schema: {
        operationId: operationOf(api, 'redeliverWebhookDelivery'),
        summary: 'Redeliver a delivery',
        description: 'Sends the delivery again with the same `webhook-id` and a new series of attempts.',
        params: deliveryParams,
        response: { 202: Redelivered },
      },
    },
    async ({ principal, params }, reply) => {
      const webhook = await subscriptions.read(ownerOf(principal), params.id)
      const delivery = await deliveries.redeliver(webhook, params.delivery)
      return reply
        .code(202)
        .send({ success: true, webhook_id: webhook.id, delivery: describeDelivery(webhook, delivery) })
    },
  )

  routes.post(
    `${path}/:id/redeliver`,
    {
      config: sends,
      schema: {
        operationId: operationOf(api, 'redeliverWebhook'),
        summary: 'Redeliver deliveries of a period',
        description:
          'Sends the deliveries of a period again, at most 10,000, oldest first. By default those that were given up.',
        params: webhookParams,
        body: RedeliverBody,
        response: { 202: RedeliveredRange },
      },
    },
    async ({ principal, params, body }, reply) => {
      const webhook = await subscriptions.read(ownerOf(principal), params.id)
      const { from, to, state = 'dead' } = body ?? {}
      if (from !== undefined && to !== undefined && from > to) throw invalidPeriod()
      const range = { from: dateOf(from), to: endOfSecond(to), state }
      const { count, more } = await deliveries.redeliverRange(webhook, range)
      return reply.code(202).send({ success: true, webhook_id: webhook.id, redelivered: count, more })
    },
  )

  routes.post(
    `${path}/:id/test`,
    {
      config: sends,
      schema: {
        operationId: operationOf(api, 'testWebhook'),
        summary: 'Send a test event to a webhook',
        description:
          'Sends an event with sample data and `"test": true`, signed as any other, once and without retries. Filters do not apply, and the webhook stays active if the test fails. The webhook must be active.',
        params: webhookParams,
        body: testBody(events),
        response: { 202: SentTest },
      },
    },
    async ({ principal, params, body }, reply) => {
      const webhook = await subscriptions.read(ownerOf(principal), params.id)
      const event = body?.event ?? testEvent
      const data = samples[event] ?? { message: 'This is a test event. Nothing happened.' }
      const deliveryId = await deliveries.sendTest(webhook, { event, data })
      return reply.code(202).send({ success: true, webhook_id: webhook.id, event, delivery_id: deliveryId })
    },
  )
}

function invalidPeriod() {
  const message = 'must not be before from'
  return kernelFailure('invalid_input', {
    message: `to ${message}.`,
    problems: [{ path: 'to', message, code: 'value' }],
  })
}

function dateOf(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000)
}

/** Times have whole seconds, so that `to` includes its whole second. */
function endOfSecond(seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000 + 999.999)
}

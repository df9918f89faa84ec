import { Type } from 'typebox'
import type { Access } from '#kernel/http'
import { envelopeOf } from '../delivery/build-request.ts'
import type { Delivery } from '../management/deliveries.ts'
import type { WithToken } from '../management/subscriptions.ts'
import type { LastDelivery, Webhook, WebhookWithResult } from '../webhook.ts'

function epochSeconds(at: Date): number
function epochSeconds(at: Date | null): number | null
function epochSeconds(at: Date | null): number | null {
  return at === null ? null : Math.floor(at.getTime() / 1000)
}

export function describeSaved({ webhook, token }: WithToken, publicUrlOf: (path: string) => string) {
  const { id, url, events, status, verificationExpiresAt, createdAt } = webhook
  const isRequired = status === 'pending_verification'
  return {
    success: true as const,
    webhook_id: id,
    webhook_url: url,
    events_subscribed: [...events],
    verification: {
      verification_required: isRequired,
      verification_token: isRequired ? token : null,
      verification_url: isRequired && token !== null ? publicUrlOf(`/${id}/verify/${token}`) : null,
      expires_at: isRequired ? epochSeconds(verificationExpiresAt) : null,
    },
    status,
    created_at: epochSeconds(createdAt),
  }
}

export function describeWebhook(webhook: WebhookWithResult) {
  const { status, verificationExpiresAt } = webhook
  return {
    webhook_id: webhook.id,
    name: webhook.name,
    webhook_url: webhook.url,
    events_subscribed: [...webhook.events],
    ...describeConfig(webhook),
    status,
    disabled_reason: webhook.disabledReason,
    disabled_at: epochSeconds(webhook.disabledAt),
    verification_expires_at: status === 'pending_verification' ? epochSeconds(verificationExpiresAt) : null,
    verified_at: epochSeconds(webhook.verifiedAt),
    failing_since: epochSeconds(webhook.failingSince),
    last_delivery: describeLast(webhook.lastDelivery),
    previous_secret_expires_at: epochSeconds(webhook.previousSecretUntil),
    created_at: epochSeconds(webhook.createdAt),
    updated_at: epochSeconds(webhook.updatedAt),
  }
}

function describeLast(delivery: LastDelivery | null) {
  if (delivery === null) return null
  const { id, event, state, status, attemptedAt, error } = delivery
  return { id, event, state, status_code: status, attempted_at: attemptedAt, error }
}

/** In the format of the request, so that a client can change and send it back. */
function describeConfig({ api, url, events, filters, retryPolicy, format, status }: Webhook) {
  if (api === 'orchestra') {
    return { url, events: [...events], active: status !== 'disabled', retry_config: { ...retryPolicy } }
  }
  return { filters: { ...filters }, retry_policy: { ...retryPolicy }, format: { ...format } }
}

export function describeDelivery(webhook: Pick<Webhook, 'id' | 'api'>, delivery: Delivery) {
  const isPending = delivery.state === 'pending'
  return {
    delivery_id: delivery.id,
    event: delivery.event,
    subject: delivery.subject,
    timestamp: epochSeconds(delivery.occurredAt),
    state: delivery.state,
    reason: delivery.reason,
    attempts: delivery.attempts,
    next_attempt_at: isPending ? epochSeconds(delivery.nextAttemptAt) : null,
    created_at: epochSeconds(delivery.createdAt),
    finished_at: epochSeconds(delivery.finishedAt),
    last_attempt: describeAttempt(webhook, delivery),
  }
}

function describeAttempt({ id, api }: Pick<Webhook, 'id' | 'api'>, delivery: Delivery) {
  const { attemptedAt, durationMs, request, response, error } = delivery
  if (attemptedAt === null) return null
  const envelope = envelopeOf({ ...delivery, webhookId: id, api })
  return {
    attempted_at: epochSeconds(attemptedAt),
    duration: durationMs === null ? null : Math.round(durationMs) / 1000,
    request:
      request === null
        ? null
        : {
            url: request.url,
            headers: { ...request.headers },
            body: { ...envelope, signature: request.signature },
            bytes: request.bytes,
          },
    response: response === null ? null : { ...response, headers: { ...response.headers } },
    error: error === null ? null : { ...error },
  }
}

export const managesWebhooks = { permission: 'manage webhooks' } as const satisfies Access

export const webhookParams = Type.Object({
  id: Type.String({ maxLength: 100, description: 'The `webhook_id` of the webhook.' }),
})

/** Both APIs share one OpenAPI document, so that operation ids must differ. */
export function operationOf(api: string, name: string): string {
  return api === 'workflows' ? name : `${api}${name[0]?.toUpperCase()}${name.slice(1)}`
}

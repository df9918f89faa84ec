import type { Database } from '#kernel/database'
import type { Api, Format, RetryPolicy, WebhookStatus } from '../webhook.ts'
import { contentWithContext, joinContext } from './build-request.ts'
import type { PartitionRow } from './partitions.ts'

/** The first pending delivery of a partition, with its webhook. */
export interface NextDelivery {
  readonly id: string
  readonly event: string
  readonly occurredAt: Date
  readonly content: Readonly<Record<string, unknown>>
  readonly attempts: number
  /** Until the delivery is due. */
  readonly waitMs: number
  readonly webhookId: string
  readonly kind: 'subscription' | 'callback'
  readonly api: Api
  readonly accountId: string
  readonly url: string
  readonly status: WebhookStatus
  /** Whether the last attempt of the webhook failed. */
  readonly isFailing: boolean
  readonly format: Format
  readonly retryPolicy: RetryPolicy
  readonly secret: string
  readonly previousSecret: string | null
  /** False once the verification token has expired. */
  readonly isVerifiable: boolean
}

/** Whether its owner sent the delivery to try the receiver. The content of other deliveries has no such field. */
export function isTest({ content }: Pick<NextDelivery, 'content'>): boolean {
  return content['test'] === true
}

const statement = `
  select delivery.id, event, occurred_at as "occurredAt", ${contentWithContext} as content, attempts,
    greatest(0, extract(epoch from next_attempt_at - now()) * 1000)::float8 as "waitMs",
    webhook.id as "webhookId", kind, api, account_id as "accountId", url, status, failing_since is not null as "isFailing", format, retry_policy as "retryPolicy",
    secret, case when previous_secret_until > now() then previous_secret end as "previousSecret",
    coalesce(verification_expires_at > now(), false) as "isVerifiable"
  from webhook_deliveries as delivery
  join webhooks as webhook on webhook.id = delivery.webhook_id
  ${joinContext}
  where delivery.webhook_id = $1 and delivery.subject = $2 and delivery.state = 'pending'
  order by sequence
  limit 1
`

export async function readNextDelivery(
  database: Pick<Database, 'query'>,
  { webhook_id: webhookId, subject }: PartitionRow,
): Promise<NextDelivery | undefined> {
  const [row] = await database.query<NextDelivery>(statement, [webhookId, subject], 'webhooks-next-delivery')
  return row
}

import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { contentWithContext, joinContext } from '../delivery/build-request.ts'
import { accountOf, expeditePartition, partitions } from '../delivery/partitions.ts'
import type { Attempt } from '../delivery/try-delivery.ts'
import { webhooksFailure } from '../errors.ts'
import { type DeliveryState, testEvent, verificationEvent, type Webhook } from '../webhook.ts'
import { isUuid } from './store.ts'

export interface Delivery {
  readonly id: string
  readonly sequence: number
  readonly event: string
  readonly subject: string
  readonly occurredAt: Date
  readonly content: Readonly<Record<string, unknown>>
  readonly state: DeliveryState
  readonly reason: string | null
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly attemptedAt: Date | null
  readonly durationMs: number | null
  readonly request: Attempt['request']
  readonly response: Attempt['response']
  readonly error: Attempt['error']
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly event?: string | undefined
  readonly subject?: string | undefined
  readonly order: 'oldest' | 'newest'
  /** The `asOf` of an earlier page: excludes newer deliveries, so that pages do not shift. */
  readonly asOf?: number | undefined
  readonly limit: number
  readonly offset: number
}

interface RedeliverRange {
  /** The time of the event. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly state: 'dead' | 'delivered' | 'all'
}

/** Lists and redelivers the deliveries of a webhook. The caller has checked that the webhook belongs to the requesting account. */
export interface Deliveries {
  /** Omits the content of long deliveries. */
  list(
    webhookId: string,
    filter: DeliveryFilter,
  ): Promise<{ readonly deliveries: Delivery[]; readonly total: number; readonly asOf: number | null }>
  read(webhookId: string, id: string): Promise<Delivery>
  /** Keeps the id of the delivery, so that receivers can deduplicate. Throws `delivery_not_found` or `webhook_not_active`. */
  redeliver(webhook: Webhook, id: string): Promise<Delivery>
  /** Redelivers at most ten thousand, the oldest first, and resolves to their number. Throws `webhook_not_active`. */
  redeliverRange(
    webhook: Webhook,
    range: RedeliverRange,
  ): Promise<{ readonly count: number; readonly more: boolean }>
  /**
   * Queues a test delivery: marked `test`, with one attempt, which changes nothing about the state of the webhook. Resolves to its id.
   * Throws `webhook_not_active`.
   */
  sendTest(webhook: Webhook, test: TestEvent): Promise<string>
}

interface TestEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

const columnsWith = (content: string) => `
  delivery.id, sequence, event, delivery.subject, occurred_at as "occurredAt", ${content} as content, state, reason, attempts,
  next_attempt_at as "nextAttemptAt", attempted_at as "attemptedAt", duration_ms as "durationMs", request, answer as response, error,
  created_at as "createdAt", finished_at as "finishedAt"
`

const fromDeliveries = `from webhook_deliveries as delivery ${joinContext}`

/** A list omits longer content: 200 deliveries of megabytes each would be too much for one response. */
const maxListedBytes = 64 * 1024

const listedContent = `
  case when octet_length((${contentWithContext})::text) <= ${maxListedBytes} then ${contentWithContext}
    else '{"data": null, "data_omitted": true}' end
`

const maxRedelivered = 10_000

const testStatement = `
  with opened as (
    insert into webhook_lanes as partition (webhook_id, subject, account_id) values ($1, $2, ${accountOf('$1')}) ${expeditePartition}
  )
  insert into webhook_deliveries (webhook_id, subject, event, occurred_at, content)
  values ($1, $2, $3, now(), $4)
  returning id
`

/** Challenges are excluded: an old challenge verifies nothing, and owners can request a new one. */
const isFinished = `webhook_id = $1 and state <> 'pending' and event <> '${verificationEvent}'`

const redeliverStatement = (isSelected: string) => `
  with selected as materialized (
    select id, subject from webhook_deliveries
    where ${isFinished} and ${isSelected}
    order by sequence
    limit ${maxRedelivered}
    for no key update
  ),
  requeued as (
    update webhook_deliveries as delivery
    set state = 'pending', reason = null, attempts = 0, next_attempt_at = now(), finished_at = null
    from selected
    where delivery.id = selected.id
    returning 1
  ),
  opened as (
    insert into webhook_lanes as partition (webhook_id, subject, account_id)
    select distinct $1::uuid, subject, ${accountOf('$1')} from selected
    order by subject
    ${expeditePartition}
  )
  select count(*)::integer as count from requeued
`
const redeliverOne = redeliverStatement('id = $2')
const redeliverMany = redeliverStatement(`
  subject <> '${testEvent}' and ($2::timestamptz is null or occurred_at >= $2) and ($3::timestamptz is null or occurred_at <= $3)
  and ($4 = 'all' or state = $4)
`)

export function createDeliveries(database: Database): Deliveries {
  async function read(webhookId: string, id: string): Promise<Delivery> {
    const [row] = isUuid(id)
      ? await database.query<Delivery>(
          `select ${columnsWith(contentWithContext)} ${fromDeliveries} where delivery.webhook_id = $1 and id = $2`,
          [webhookId, id],
        )
      : []
    if (row === undefined) throw webhooksFailure('delivery_not_found', { details: { delivery_id: id } })
    return row
  }

  return {
    read,

    async list(webhookId, { state, event, subject, order, asOf, limit, offset }) {
      const isMatch = `
        delivery.webhook_id = $1 and ($2::text is null or state = $2) and ($3::text is null or event = $3)
        and ($4::text is null or delivery.subject = $4) and ($5::bigint is null or sequence <= $5)
      `
      const values = [webhookId, state ?? null, event ?? null, subject ?? null, asOf ?? null]
      const [deliveries, [counted]] = await Promise.all([
        database.query<Delivery>(
          `
            select ${columnsWith(listedContent)} ${fromDeliveries} where ${isMatch}
            order by sequence ${order === 'newest' ? 'desc' : 'asc'} limit $6 offset $7
          `,
          [...values, limit, offset],
        ),
        database.query<{ total: number; asOf: number | null }>(
          `select count(*)::integer as total, max(sequence) as "asOf" from webhook_deliveries as delivery where ${isMatch}`,
          values,
        ),
      ])
      return { deliveries, total: counted?.total ?? 0, asOf: counted?.asOf ?? null }
    },

    async redeliver(webhook, id) {
      requireActive(webhook)
      const { event, state } = await read(webhook.id, id)
      if (event === verificationEvent) {
        throw webhooksFailure('webhook_is_verified', {
          message: 'A challenge cannot be redelivered. Request a new verification instead.',
        })
      }
      // A pending delivery is sent anyway.
      if (state !== 'pending')
        await database.transaction((transaction) => redeliver(transaction, redeliverOne, [webhook.id, id]))
      return await read(webhook.id, id)
    },

    async redeliverRange(webhook, { from, to, state }) {
      requireActive(webhook)
      const values = [webhook.id, from ?? null, to ?? null, state]
      const count = await database.transaction((transaction) => redeliver(transaction, redeliverMany, values))
      return { count, more: count === maxRedelivered }
    },

    async sendTest(webhook, { event, data }) {
      requireActive(webhook)
      return await database.transaction(async (transaction) => {
        const content = JSON.stringify({ test: true, data })
        const [row] = await runStatement<{ id: string }>(transaction, testStatement, [
          webhook.id,
          testEvent,
          event,
          content,
        ])
        await partitions.wake(transaction)
        if (row === undefined) throw new Error('the insert returned no id')
        return row.id
      })
    },
  }
}

async function redeliver(executor: Executor, statement: string, values: readonly unknown[]): Promise<number> {
  const [row] = await runStatement<{ count: number }>(executor, statement, values)
  await partitions.wake(executor)
  return row?.count ?? 0
}

function requireActive({ status }: Webhook): void {
  if (status === 'active') return
  throw webhooksFailure('webhook_not_active', {
    message:
      status === 'disabled'
        ? 'The webhook is disabled, so nothing can be sent to it. Enable it first, with `active: true`.'
        : 'The webhook is not verified yet, so nothing can be sent to it. Return the challenge or call its verification URL first.',
  })
}

import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { contentWithContext, joinContext } from '../delivery/content-with-context.ts'
import { hurryLane, lanes } from '../delivery/lanes.ts'
import type { Attempt } from '../delivery/try-delivery.ts'
import { webhooksFailure } from '../errors.ts'
import { type DeliveryState, verificationEvent, type Webhook } from '../webhook.ts'
import { isUuid } from './uuid.ts'

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
  readonly answer: Attempt['answer']
  readonly error: Attempt['error']
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly event?: string | undefined
  readonly subject?: string | undefined
  readonly order: 'oldest' | 'newest'
  /** Of an earlier page: later ones are left out, so that pages stand still. */
  readonly asOf?: number | undefined
  readonly limit: number
  readonly offset: number
}

interface RedeliverRange {
  /** When they happened. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly state: 'dead' | 'delivered' | 'all'
}

/** What is known of the deliveries of a webhook, and sending them again. The webhook is one that its owner was asked about. */
export interface Deliveries {
  /** The content of long ones is left out. */
  list(
    webhookId: string,
    filter: DeliveryFilter,
  ): Promise<{ readonly deliveries: Delivery[]; readonly total: number; readonly asOf: number | null }>
  read(webhookId: string, id: string): Promise<Delivery>
  /** With the same id, so that who has it already can tell. */
  redeliver(webhook: Webhook, id: string): Promise<Delivery>
  /** Answers how many; at most ten thousand at once, the oldest first. */
  redeliverRange(
    webhook: Webhook,
    range: RedeliverRange,
  ): Promise<{ readonly count: number; readonly more: boolean }>
}

const columnsWith = (content: string) => `
  delivery.id, sequence, event, delivery.subject, occurred_at as "occurredAt", ${content} as content, state, reason, attempts,
  next_attempt_at as "nextAttemptAt", attempted_at as "attemptedAt", duration_ms as "durationMs", request, answer, error,
  created_at as "createdAt", finished_at as "finishedAt"
`

const fromDeliveries = `from webhook_deliveries as delivery ${joinContext}`

/** In a list, what is longer than this is left out: 200 deliveries with megabytes each would be too much for one answer. */
const maxListedBytes = 64 * 1024

const listedContent = `
  case when octet_length((${contentWithContext})::text) <= ${maxListedBytes} then ${contentWithContext}
    else '{"data": null, "data_omitted": true}' end
`

const mostAtOnce = 10_000

/** A challenge is sent again by asking for one: an old one verifies nothing. */
const isOver = `webhook_id = $1 and state <> 'pending' and event <> '${verificationEvent}'`

const againStatement = (isChosen: string) => `
  with chosen as materialized (
    select id, subject from webhook_deliveries
    where ${isOver} and ${isChosen}
    order by sequence
    limit ${mostAtOnce}
    for no key update
  ),
  again as (
    update webhook_deliveries as delivery
    set state = 'pending', reason = null, attempts = 0, next_attempt_at = now(), finished_at = null
    from chosen
    where delivery.id = chosen.id
    returning 1
  ),
  opened as (
    insert into webhook_lanes as lane (webhook_id, subject)
    select distinct $1::uuid, subject from chosen
    order by subject
    ${hurryLane}
  )
  select count(*)::integer as count from again
`
const oneAgain = againStatement('id = $2')
const rangeAgain = againStatement(`
  ($2::timestamptz is null or occurred_at >= $2) and ($3::timestamptz is null or occurred_at <= $3)
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
      const isMeant = `
        delivery.webhook_id = $1 and ($2::text is null or state = $2) and ($3::text is null or event = $3)
        and ($4::text is null or delivery.subject = $4) and ($5::bigint is null or sequence <= $5)
      `
      const values = [webhookId, state ?? null, event ?? null, subject ?? null, asOf ?? null]
      const [deliveries, [counted]] = await Promise.all([
        database.query<Delivery>(
          `
            select ${columnsWith(listedContent)} ${fromDeliveries} where ${isMeant}
            order by sequence ${order === 'newest' ? 'desc' : 'asc'} limit $6 offset $7
          `,
          [...values, limit, offset],
        ),
        database.query<{ total: number; asOf: number | null }>(
          `select count(*)::integer as total, max(sequence) as "asOf" from webhook_deliveries as delivery where ${isMeant}`,
          values,
        ),
      ])
      return { deliveries, total: counted?.total ?? 0, asOf: counted?.asOf ?? null }
    },

    async redeliver(webhook, id) {
      requireActive(webhook)
      const { event, state } = await read(webhook.id, id)
      if (event === verificationEvent) {
        throw webhooksFailure('webhook_is_verified', { message: 'A challenge is not sent a second time.' })
      }
      // One that is on its way needs nothing.
      if (state !== 'pending')
        await database.transaction((transaction) => sendAgain(transaction, oneAgain, [webhook.id, id]))
      return await read(webhook.id, id)
    },

    async redeliverRange(webhook, { from, to, state }) {
      requireActive(webhook)
      const values = [webhook.id, from ?? null, to ?? null, state]
      const count = await database.transaction((transaction) => sendAgain(transaction, rangeAgain, values))
      return { count, more: count === mostAtOnce }
    },
  }
}

async function sendAgain(executor: Executor, statement: string, values: readonly unknown[]): Promise<number> {
  const [row] = await runStatement<{ count: number }>(executor, statement, values)
  await lanes.wake(executor)
  return row?.count ?? 0
}

function requireActive({ status }: Webhook): void {
  if (status === 'active') return
  throw webhooksFailure('webhook_not_active', {
    message: `The webhook is ${status === 'disabled' ? 'disabled' : 'not verified yet'}, so nothing can be sent to it.`,
  })
}

import { type Database, retryWhenUnavailable, storableJson } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { Claim } from '#kernel/work'
import { verificationEvent } from '../webhook.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { isTest, type NextDelivery, readNextDelivery } from './next-delivery.ts'
import { hasPending, type PartitionRow, partitions } from './partitions.ts'
import type { SendError } from './send.ts'
import type { AttemptResult, TryDelivery } from './try-delivery.ts'
import type { WebhookHealth } from './webhook-health.ts'

export interface DeliverPartitionOptions {
  readonly database: Database
  readonly tryDelivery: TryDelivery
  readonly health: WebhookHealth
  readonly metrics: DeliveryMetrics
  readonly log: Logger
}

/**
 * Sends the pending deliveries of a partition in order.
 *
 * | first pending delivery                     | effect                                                |
 * |--------------------------------------------|-------------------------------------------------------|
 * | none                                       | the partition finishes, unless one is being added     |
 * | not due yet                                | the partition becomes due with it                     |
 * | its receiver or account has no free slot   | the partition becomes due a little later              |
 * | attempted: delivered or dead               | continue with the next delivery                       |
 * | attempted: to be retried                   | the partition becomes due at the time of the retry    |
 */
export function createDeliverPartition({
  database,
  tryDelivery,
  health,
  metrics,
  log,
}: DeliverPartitionOptions) {
  return async (claim: Claim<PartitionRow>): Promise<void> => {
    for (;;) {
      const delivery = await readNextDelivery(database, claim.row)
      if (delivery === undefined) {
        if (await endPartition(claim)) return
        continue
      }
      if (delivery.waitMs > 0) return partitions.release(database, claim, { delayMs: delivery.waitMs })
      const result = await tryDelivery(delivery, claim.signal)
      if ('retryInMs' in result) return partitions.release(database, claim, { delayMs: result.retryInMs })
      const { outcome, attempt } = result
      // Before the delivery is recorded: if this process dies in between, the next attempt reports the health again.
      await updateHealth(delivery, result)
      const recorded = await retryWhenUnavailable(() => recordOutcome(database, claim, delivery, result), {
        signal: claim.signal,
      })
      if (recorded === undefined) {
        // Another process has recorded this delivery, or has taken over the partition; in the latter case `update` throws.
        await partitions.update(database, claim)
        continue
      }
      metrics.recordAttempt(outcome, attempt?.durationMs)
      if (recorded.ended) return
      // With more pending, read again: a redelivery may have put an older delivery first.
      if (outcome.state === 'pending' && !recorded.more) {
        return partitions.release(database, claim, { delayMs: outcome.pauseMs })
      }
    }
  }

  /** Finishes an empty partition, unless a delivery was added: publishers lock the row first, so that no delivery is missed. */
  async function endPartition(claim: Claim<PartitionRow>): Promise<boolean> {
    const stillPending = new Error('the partition has pending deliveries')
    try {
      await database.transaction(async (transaction) => {
        await partitions.finish(transaction, claim)
        if (await hasPending(transaction, claim.row)) throw stillPending
      })
      return true
    } catch (error) {
      if (error === stillPending) return false
      throw error
    }
  }

  async function updateHealth(delivery: NextDelivery, { outcome, attempt }: AttemptResult): Promise<void> {
    const { webhookId, event, isFailing } = delivery
    // A test changes nothing: an owner may try a receiver that is being built.
    if (attempt === undefined || isTest(delivery)) return
    if (outcome.state === 'delivered') {
      if (outcome.verified) await health.verified(webhookId)
      else if (isFailing) await health.succeeded(webhookId)
    } else if (outcome.state === 'dead' && outcome.reason === 'gone') {
      await health.gone(webhookId)
      log.info({ webhookId }, 'webhook disabled: its receiver responded with 410')
    } else if (event !== verificationEvent && (await health.failed(webhookId))) {
      log.warn(
        { webhookId },
        'webhook disabled: every delivery has failed for longer than TUTTI_WEBHOOK_DISABLE_AFTER',
      )
    }
  }
}

interface Recorded {
  /** Whether the partition is finished. Otherwise this process still has its lease. */
  readonly ended: boolean
  /** Whether other deliveries are pending. */
  readonly more: boolean
}

/**
 * Records an outcome once, and only under the lease of the partition: a late process changes nothing. With its last delivery the partition
 * finishes too, unless one is being added: the publisher has then locked the row and changed `added`, so that the update matches no row.
 */
const recordStatement = `
  with leased as materialized (
    select id, webhook_id, subject, added from webhook_lanes
    where id = $1 and work_worker = $2 and work_fence = $3 and work_state = 'running'
  ),
  recorded as (
    update webhook_deliveries as delivery
    set state = $5, reason = $6, next_attempt_at = now() + $7 * interval '1 millisecond',
      finished_at = case when $5 = 'pending' then null else now() end,
      attempts = case when $8::timestamptz is null then attempts else $13::integer end,
      attempted_at = coalesce($8, attempted_at),
      duration_ms = case when $8 is null then duration_ms else $9 end,
      request = case when $8 is null then request else $10::jsonb end,
      answer = case when $8 is null then answer else $11::jsonb end,
      error = case when $8 is null then error else $12::jsonb end
    from leased
    where delivery.id = $4 and delivery.state = 'pending'
    returning exists (
      select from webhook_deliveries as other
      where other.webhook_id = leased.webhook_id and other.subject = leased.subject and other.state = 'pending'
        and other.id <> $4
    ) as more
  ),
  ended as (
    update webhook_lanes as partition
    set work_state = 'finished', work_worker = null
    from leased, recorded
    where partition.id = leased.id and partition.added = leased.added and partition.work_fence = $3
      and partition.work_state = 'running'
      and not recorded.more and $5 <> 'pending'
    returning 1
  )
  select more, exists (select from ended) as ended from recorded
`

/** Undefined when this process no longer has the lease or the delivery is no longer pending. */
async function recordOutcome(
  database: Pick<Database, 'query'>,
  claim: Pick<Claim<PartitionRow>, 'key' | 'workerId' | 'fence'>,
  delivery: Pick<NextDelivery, 'id' | 'attempts'>,
  result: AttemptResult,
): Promise<Recorded | undefined> {
  const { outcome, attempt } = result
  const [row] = await database.query<Recorded>(
    recordStatement,
    [
      claim.key,
      claim.workerId,
      claim.fence,
      delivery.id,
      outcome.state,
      outcome.state === 'dead' ? outcome.reason : null,
      outcome.state === 'pending' ? outcome.pauseMs : 0,
      attempt?.startedAt ?? null,
      attempt?.durationMs ?? null,
      json(attempt?.request),
      json(attempt?.response),
      json(errorOf(result)),
      // An absolute value instead of an increment: the statement is sent again when its response is lost.
      delivery.attempts + 1,
    ],
    'webhooks-record',
  )
  return row
}

/** A response that is not a success is stored as an error, too. */
function errorOf({ outcome, attempt }: AttemptResult): SendError | null {
  if (outcome.state === 'delivered') return null
  return attempt?.error ?? { code: 'not_accepted', message: outcome.problem }
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : storableJson(value)
}

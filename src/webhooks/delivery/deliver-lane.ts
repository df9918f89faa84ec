import { type Database, retryWhenUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { Claim } from '#kernel/work'
import { verificationEvent } from '../webhook.ts'
import { holdsMore, type LaneRow, lanes } from './lanes.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { type NextDelivery, readNextDelivery } from './next-delivery.ts'
import { recordVerdict } from './record.ts'
import type { Tried, TryDelivery } from './try-delivery.ts'
import type { WebhookHealth } from './webhook-health.ts'

export interface DeliverLaneOptions {
  readonly database: Database
  readonly tryDelivery: TryDelivery
  readonly health: WebhookHealth
  readonly metrics: DeliveryMetrics
  readonly log: Logger
}

/**
 * Sends what a lane holds, in order.
 *
 * | the first delivery that is not over        | then                                             |
 * |--------------------------------------------|--------------------------------------------------|
 * | there is none                              | the lane is finished, unless one is being added  |
 * | is to wait                                 | the lane is due when it is                       |
 * | its receiver or account has no slot free   | the lane is due a little later                   |
 * | was tried and is delivered, or given up    | the next one                                     |
 * | was tried and is to be tried again         | the lane is due then                             |
 */
export function createDeliverLane({ database, tryDelivery, health, metrics, log }: DeliverLaneOptions) {
  return async (claim: Claim<LaneRow>): Promise<void> => {
    for (;;) {
      const delivery = await readNextDelivery(database, claim.row)
      if (delivery === undefined) {
        if (await endLane(claim)) return
        continue
      }
      if (delivery.waitMs > 0) return lanes.release(database, claim, { delayMs: delivery.waitMs })
      const tried = await tryDelivery(delivery, claim.signal)
      if ('retryInMs' in tried) return lanes.release(database, claim, { delayMs: tried.retryInMs })
      const { verdict, attempt } = tried
      // Before it is written down: who takes over from us must not lose that a receiver has proved itself, or is gone.
      await tellHealth(delivery, tried)
      const recorded = await retryWhenUnavailable(() => recordVerdict(database, claim, delivery, tried), {
        signal: claim.signal,
      })
      if (recorded === undefined) {
        // Somebody else has decided about it, or about the lane; the latter throws.
        await lanes.update(database, claim)
        continue
      }
      metrics.tried(verdict, attempt?.durationMs)
      if (recorded.ended) return
      // With more in the lane another look tells what comes first: something older may have been asked for again.
      if (verdict.state === 'pending' && !recorded.more) {
        return lanes.release(database, claim, { delayMs: verdict.pauseMs })
      }
    }
  }

  /** Finishes an empty lane, unless somebody has added to it: who adds locks it first, so nothing slips through. */
  async function endLane(claim: Claim<LaneRow>): Promise<boolean> {
    const stays = new Error('the lane holds more')
    try {
      await database.transaction(async (transaction) => {
        await lanes.finish(transaction, claim)
        if (await holdsMore(transaction, claim.row)) throw stays
      })
      return true
    } catch (error) {
      if (error === stays) return false
      throw error
    }
  }

  async function tellHealth(delivery: NextDelivery, { verdict, attempt }: Tried): Promise<void> {
    const { webhookId, event, isFailing } = delivery
    if (attempt === undefined) return
    if (verdict.state === 'delivered') {
      if (verdict.verified) await health.verified(webhookId)
      else if (isFailing) await health.arrived(webhookId)
    } else if (verdict.state === 'dead' && verdict.reason === 'gone') {
      await health.gone(webhookId)
      log.info({ webhookId }, 'a webhook was disabled because its receiver answered 410')
    } else if (event !== verificationEvent && (await health.failed(webhookId))) {
      log.warn({ webhookId }, 'a webhook was disabled because nothing has reached it for days')
    }
  }
}

import { units } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import type { Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { streamEvent } from '../stream-tail.ts'
import { claimPublication } from './publication-claims.ts'

const costAlert = 'system.cost_threshold'

/** The cost of a call is stored a moment after the call, so an account is checked this long after an event. */
const settleMs = 1000

const dayMs = 24 * 3_600_000

interface DailyLimitWatcherOptions {
  readonly database: Pick<Database, 'transaction'>
  /** The account's spend of today in micro-dollars. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number }>
  /** The account's daily budget in micro-dollars; undefined when the account does not exist. */
  readonly dayLimitOf: (accountId: string) => Promise<number | undefined>
  readonly events: Pick<Events, 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly hasViewers: () => boolean
  readonly now?: () => Date
}

interface DailyLimitWatcher {
  /** Collects the accounts that spend. */
  readonly watcher: Watcher
  readonly turn: () => Promise<void>
}

/** Publishes once a day that an account reached 80 % of its daily budget, and once that it reached 100 %. */
export function createDailyLimitWatcher(options: DailyLimitWatcherOptions): DailyLimitWatcher {
  const { database, spentToday, dayLimitOf, events, webhooks, hasViewers, now = () => new Date() } = options
  /** Accounts that spent, with the time of their check and whether a call was refused for the budget. */
  const spending = new Map<string, { readonly lookAtMs: number; readonly refused: boolean }>()

  async function look(accountId: string, refused: boolean): Promise<void> {
    const limit = await dayLimitOf(accountId)
    if (limit === undefined) return
    const { spent } = await spentToday(accountId)
    for (const percent of passedThresholds({ spent, limit, refused })) {
      await publishAlert(accountId, {
        alert_type: 'daily_limit',
        current_cost: units.dollars(spent),
        threshold: units.dollars((limit * percent) / 100),
        period: 'day',
        percentage: percent,
        daily_cost_limit: units.dollars(limit),
      })
    }
  }

  async function publishAlert(
    accountId: string,
    data: { readonly percentage: number } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const name = `day-limit ${accountId} ${now().toISOString().slice(0, 10)} ${data.percentage}`
    await database.transaction(async (transaction) => {
      // The date is part of the name: each threshold is published once a day.
      if (!(await claimPublication(transaction, name, dayMs))) return
      const subject = `account:${accountId}`
      await webhooks.publish(transaction, [{ event: costAlert, subject, accountId, data }])
      if (hasViewers()) {
        await events.appendWithin(
          transaction,
          streamEvent('cost_alert', { subject, account: accountId, data }),
        )
      }
    })
  }

  return {
    async watcher(_executor, outboxEntries, wanted) {
      for (const { executionId, accountId, spent, events: journal } of outboxEntries) {
        const isWanted = hasViewers() || wanted.get(executionId)?.events.has(costAlert) === true
        const refused = journal.some(isRefusal)
        if (!isWanted || (spent === 0 && !refused)) continue
        const known = spending.get(accountId)
        spending.set(accountId, {
          lookAtMs: known?.lookAtMs ?? now().getTime() + settleMs,
          refused: refused || known?.refused === true,
        })
      }
      return []
    },

    async turn() {
      for (const [accountId, noted] of spending) {
        if (noted.lookAtMs > now().getTime()) continue
        await look(accountId, noted.refused)
        // What was noted meanwhile is looked at in the next turn.
        if (spending.get(accountId) === noted) spending.delete(accountId)
      }
    },
  }
}

/** A call that was refused because it could have exceeded the daily budget. */
function isRefusal({ type, data }: OutboxEntry['events'][number]): boolean {
  const error = data['error'] as { readonly details?: { readonly reason?: unknown } } | undefined
  return type === 'step_failed' && error?.details?.reason === 'budget_used_up'
}

interface DaySpend {
  readonly spent: number
  readonly limit: number
  /** A call was refused because it could have exceeded the limit. */
  readonly refused: boolean
}

/**
 * The thresholds of its daily budget that an account reached, the lowest first. An account rarely spends the exact limit: one above
 * 80 % whose call is refused has reached 100 %.
 */
export function passedThresholds({ spent, limit, refused }: DaySpend): readonly (80 | 100)[] {
  if (spent * 100 < limit * 80) return []
  return spent >= limit || refused ? [80, 100] : [80]
}

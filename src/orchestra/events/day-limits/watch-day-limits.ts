import type { Happening } from '#engine'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { dollars, type Watcher } from '#runs'
import type { Webhooks } from '#webhooks'
import { liveEvent } from '../live/live-events.ts'
import { claimTelling } from '../told-lately.ts'
import { passedThresholds } from './thresholds.ts'

const alertName = 'system.cost_threshold'

/** What a call cost is written a moment after it: an account is looked at this long after something happened. */
const settleMs = 1000

const dayMs = 24 * 3_600_000

interface WatchDayLimitsOptions {
  readonly database: Pick<Database, 'transaction'>
  /** What an account has spent on this day, in micro-dollars. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number }>
  /** What it may spend, in micro-dollars; undefined when there is no such account. */
  readonly dayLimitOf: (accountId: string) => Promise<number | undefined>
  readonly events: Pick<Events, 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly isWatched: () => boolean
  readonly now?: () => Date
}

interface WatchDayLimits {
  /** Takes note of accounts that spend. */
  readonly watcher: Watcher
  readonly turn: () => Promise<void>
}

/** Tells an account once a day that it has reached 80 % of what it may spend, and once that it has reached all of it. */
export function createWatchDayLimits(options: WatchDayLimitsOptions): WatchDayLimits {
  const { database, spentToday, dayLimitOf, events, webhooks, isWatched, now = () => new Date() } = options
  /** Accounts that spent something, with when to look and whether a call was refused for it. */
  const spending = new Map<string, { readonly lookAtMs: number; readonly refused: boolean }>()

  async function look(accountId: string, refused: boolean): Promise<void> {
    const limit = await dayLimitOf(accountId)
    if (limit === undefined) return
    const { spent } = await spentToday(accountId)
    for (const percent of passedThresholds({ spent, limit, refused })) {
      await tell(accountId, {
        alert_type: 'daily_limit',
        current_cost: dollars(spent),
        threshold: dollars((limit * percent) / 100),
        period: 'day',
        percentage: percent,
        daily_cost_limit: dollars(limit),
      })
    }
  }

  async function tell(
    accountId: string,
    data: { readonly percentage: number } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const name = `day-limit ${accountId} ${now().toISOString().slice(0, 10)} ${data.percentage}`
    await database.transaction(async (transaction) => {
      // The day is part of the name: who was told is not told again.
      if (!(await claimTelling(transaction, name, dayMs))) return
      const subject = `account:${accountId}`
      await webhooks.publish(transaction, [{ event: alertName, subject, accountId, data }])
      if (isWatched()) {
        await events.appendWithin(transaction, liveEvent('cost_alert', { subject, account: accountId, data }))
      }
    })
  }

  return {
    async watcher(_executor, happenings, wanted) {
      for (const { executionId, accountId, spent, events: happened } of happenings) {
        const isWanted = isWatched() || wanted.get(executionId)?.events.has(alertName) === true
        const refused = happened.some(isRefusal)
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
      for (const [accountId, { lookAtMs, refused }] of spending) {
        if (lookAtMs > now().getTime()) continue
        await look(accountId, refused)
        spending.delete(accountId)
      }
    },
  }
}

/** A call that was not made, because the day's money would not have been enough for it. */
function isRefusal({ type, data }: Happening['events'][number]): boolean {
  const error = data['error'] as { readonly details?: { readonly reason?: unknown } } | undefined
  return type === 'step_failed' && error?.details?.reason === 'budget_used_up'
}

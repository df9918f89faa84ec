import type { Engine } from '#engine'
import { units } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Webhooks } from '#webhooks'
import type { Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isEnd } from '../record-at.ts'
import { streamEvent } from '../stream-tail.ts'

const degradationAlert = 'agent.performance_alert'

const everyMs = { look: 5000, performance: 10_000, alert: 3_600_000 }

interface AgentWatcherOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly history: Pick<Engine['history'], 'agents'>
  readonly events: Pick<Events, 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly hasViewers: () => boolean
  readonly nowMs?: () => number
}

interface AgentWatcher {
  /** Collects the agents that ran. */
  readonly watcher: Watcher
  /** Checks the collected agents once their runs are in the history. */
  readonly turn: () => Promise<void>
}

/** Publishes the performance of agents after they ran, and an alert when an agent degraded. */
export function createAgentWatcher(options: AgentWatcherOptions): AgentWatcher {
  const { database, history, events, webhooks, hasViewers, nowMs = () => performance.now() } = options
  /** Agents that ran since the last check, with the accounts subscribed to the alert. */
  let ran = new Map<string, Set<string>>()
  let nextLookMs = 0

  function note(agentId: string, accountIds: Iterable<string>): void {
    const accounts = ran.get(agentId) ?? new Set()
    for (const accountId of accountIds) accounts.add(accountId)
    ran.set(agentId, accounts)
  }

  async function readRuns(ids: readonly string[]) {
    // The hour is read last: a run that ends in between counts as recent, not as baseline.
    const month = await history.agents({ timeframe: '30d', ids })
    const day = await history.agents({ timeframe: '24h', ids })
    const hour = await history.agents({ timeframe: '1h', ids })
    return (id: string) => ({
      lately: hour.get(id) ?? nothing,
      day: day.get(id) ?? nothing,
      whole: month.get(id) ?? nothing,
    })
  }

  /** Resolves to false when the agent was published a moment ago and must be published again later. */
  async function publishPerformance(agentId: string, day: AgentRuns): Promise<boolean> {
    if (!hasViewers() || runsOf(day) === 0) return true
    return await database.transaction(async (transaction) => {
      if (!(await claimPublication(transaction, `agent-performance ${agentId}`, everyMs.performance)))
        return false
      const averageMs = averageMsOf(day)
      await events.appendWithin(
        transaction,
        streamEvent('agent_performance', {
          subject: `agent:${agentId}`,
          data: {
            agent_id: agentId,
            avg_response_time: averageMs === null ? null : units.seconds(averageMs),
            success_rate: successRateOf(day),
            executions_24h: runsOf(day),
          },
        }),
      )
      return true
    })
  }

  async function publishAlert(agentId: string, accountId: string, data: object): Promise<void> {
    await database.transaction(async (transaction) => {
      if (!(await claimPublication(transaction, `agent-alert ${accountId} ${agentId}`, everyMs.alert))) return
      await webhooks.publish(transaction, [
        { event: degradationAlert, subject: `agent:${agentId}`, accountId, data: { ...data } },
      ])
    })
  }

  return {
    async watcher(_executor, outboxEntries, wanted) {
      for (const outboxEntry of outboxEntries) {
        const wantsAlert = wanted.get(outboxEntry.executionId)?.events.has(degradationAlert) === true
        if (!wantsAlert && !hasViewers()) continue
        for (const agentId of agentsIn(outboxEntry)) note(agentId, wantsAlert ? [outboxEntry.accountId] : [])
      }
      return []
    },

    async turn() {
      if (ran.size === 0 || nowMs() < nextLookMs) return
      nextLookMs = nowMs() + everyMs.look
      const looked = ran
      ran = new Map()
      try {
        const runsOfAgent = await readRuns([...looked.keys()])
        for (const [agentId, accountIds] of looked) {
          const { lately, day, whole } = runsOfAgent(agentId)
          const degradations = findDegradations(lately, runsBefore(whole, lately))
          const data = { agent_id: agentId, period: '1h', executions: runsOf(lately), degradations }
          if (degradations.length > 0)
            for (const accountId of accountIds) await publishAlert(agentId, accountId, data)
          if (!(await publishPerformance(agentId, day))) note(agentId, [])
        }
      } catch (error) {
        for (const [agentId, accountIds] of looked) note(agentId, accountIds)
        throw error
      }
    },
  }
}

const nothing: AgentRuns = { completed: 0, failed: 0, duration_ms: 0 }

/** The agents of an execution that has just ended. */
function agentsIn({ events, facts }: Pick<OutboxEntry, 'events' | 'facts'>): readonly string[] {
  if (facts === null || !events.some(isEnd)) return []
  return facts.steps.flatMap(({ agent, state }) =>
    agent === undefined || state === 'skipped' ? [] : [agent],
  )
}

/** The runs of an agent in a period. */
interface AgentRuns {
  readonly completed: number
  readonly failed: number
  /** Total of the completed runs. */
  readonly duration_ms: number
}

/** Fewer runs than these give no baseline and no trend. */
const fewest = { before: 20, lately: 5 }
/** The drop of the success rate, and the multiple of the duration, above which a degradation is reported. */
const tolerated = { lostPercent: 20, slower: 1.5 }

/** The metrics in which the recent runs of an agent are clearly worse than its baseline. */
export function findDegradations(lately: AgentRuns, before: AgentRuns) {
  if (runsOf(lately) < fewest.lately || runsOf(before) < fewest.before) return []
  return [successDegradation(lately, before), durationDegradation(lately, before)].filter(
    (it) => it !== undefined,
  )
}

/** The runs before the last hour: the total less the hour. */
export function runsBefore(whole: AgentRuns, lately: AgentRuns): AgentRuns {
  return {
    completed: Math.max(0, whole.completed - lately.completed),
    failed: Math.max(0, whole.failed - lately.failed),
    duration_ms: Math.max(0, whole.duration_ms - lately.duration_ms),
  }
}

function successRateOf(runs: AgentRuns): number | null {
  return units.percentage(runs.completed, runsOf(runs))
}

function averageMsOf({ completed, duration_ms: ms }: AgentRuns): number | null {
  return completed === 0 ? null : ms / completed
}

function runsOf({ completed, failed }: AgentRuns): number {
  return completed + failed
}

function successDegradation(lately: AgentRuns, before: AgentRuns) {
  const [rate, usual] = [successRateOf(lately), successRateOf(before)]
  if (rate === null || usual === null || rate >= usual - tolerated.lostPercent) return undefined
  return {
    metric: 'success_rate' as const,
    current_value: rate,
    baseline: usual,
    threshold: usual - tolerated.lostPercent,
  }
}

function durationDegradation(lately: AgentRuns, before: AgentRuns) {
  const [ms, usual] = [averageMsOf(lately), averageMsOf(before)]
  if (ms === null || usual === null || usual <= 0 || ms <= usual * tolerated.slower) return undefined
  return {
    metric: 'duration' as const,
    current_value: units.seconds(ms),
    baseline: units.seconds(usual),
    threshold: units.seconds(usual * tolerated.slower),
  }
}

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
      for (const [accountId, { lookAtMs, refused }] of spending) {
        if (lookAtMs > now().getTime()) continue
        await look(accountId, refused)
        spending.delete(accountId)
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

/**
 * Claims a publication that may happen once per period: true when no process claimed it within `periodMs`. The claim is part of the
 * publishing transaction, so of several processes one publishes.
 */
async function claimPublication(executor: Executor, name: string, periodMs: number): Promise<boolean> {
  const rows = await runStatement(
    executor,
    `
      insert into orchestra_told as known (name, told_at) values ($1, now())
      on conflict (name) do update set told_at = now()
      where known.told_at <= now() - $2 * interval '1 millisecond'
      returning 1
    `,
    [name, periodMs],
  )
  return rows.length > 0
}

/** No period is longer than a day. */
export async function deleteOldClaims(executor: Executor): Promise<void> {
  await runStatement(executor, `delete from orchestra_told where told_at < now() - interval '2 days'`, [])
}

import type { Engine } from '#engine'
import { units } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import type { Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isEnd } from '../record-at.ts'
import { streamEvent } from '../stream-tail.ts'
import { claimPublication } from './publication-claims.ts'

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

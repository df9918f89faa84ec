import type { Engine } from '#engine'
import { percentage, seconds } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Webhooks } from '#webhooks'
import type { Watcher } from '../event-mapper.ts'
import type { OutboxEntry } from '../outbox.ts'
import { isEnd } from '../record-at.ts'
import { liveEvent } from '../stream-feed/live-events.ts'
import { claimTelling } from './recent-events.ts'

const alertName = 'agent.performance_alert'

const everyMs = { look: 5000, performance: 10_000, alert: 3_600_000 }

interface WatchAgentsOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly history: Pick<Engine['history'], 'agents'>
  readonly events: Pick<Events, 'appendWithin'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly isWatched: () => boolean
  readonly nowMs?: () => number
}

interface WatchAgents {
  /** Takes note of the agents that ran. */
  readonly watcher: Watcher
  /** Looks at what they have done, now that it is added up. */
  readonly turn: () => Promise<void>
}

/** Tells how agents do after they ran, and raises an alarm when one does clearly worse than it used to. */
export function createWatchAgents(options: WatchAgentsOptions): WatchAgents {
  const { database, history, events, webhooks, isWatched, nowMs = () => performance.now() } = options
  /** Agents that ran and were not looked at since, with the accounts that want to hear of one that does worse. */
  let ran = new Map<string, Set<string>>()
  let nextLookMs = 0

  function note(agentId: string, accountIds: Iterable<string>): void {
    const accounts = ran.get(agentId) ?? new Set()
    for (const accountId of accountIds) accounts.add(accountId)
    ran.set(agentId, accounts)
  }

  async function readRuns(ids: readonly string[]) {
    // The hour last: what ends in between is lately, and not before.
    const month = await history.agents({ timeframe: '30d', ids })
    const day = await history.agents({ timeframe: '24h', ids })
    const hour = await history.agents({ timeframe: '1h', ids })
    return (id: string) => ({
      lately: hour.get(id) ?? nothing,
      day: day.get(id) ?? nothing,
      whole: month.get(id) ?? nothing,
    })
  }

  /** Answers whether that is done: one that was told of a moment ago is told of again a little later. */
  async function tellPerformance(agentId: string, day: AgentRuns): Promise<boolean> {
    if (!isWatched() || runsOf(day) === 0) return true
    return await database.transaction(async (transaction) => {
      if (!(await claimTelling(transaction, `agent-performance ${agentId}`, everyMs.performance)))
        return false
      const averageMs = averageMsOf(day)
      await events.appendWithin(
        transaction,
        liveEvent('agent_performance', {
          subject: `agent:${agentId}`,
          data: {
            agent_id: agentId,
            avg_response_time: averageMs === null ? null : seconds(averageMs),
            success_rate: successRateOf(day),
            executions_24h: runsOf(day),
          },
        }),
      )
      return true
    })
  }

  async function raiseAlarm(agentId: string, accountId: string, data: object): Promise<void> {
    await database.transaction(async (transaction) => {
      if (!(await claimTelling(transaction, `agent-alert ${accountId} ${agentId}`, everyMs.alert))) return
      await webhooks.publish(transaction, [
        { event: alertName, subject: `agent:${agentId}`, accountId, data: { ...data } },
      ])
    })
  }

  return {
    async watcher(_executor, outboxEntries, wanted) {
      for (const outboxEntry of outboxEntries) {
        const wantsAlarm = wanted.get(outboxEntry.executionId)?.events.has(alertName) === true
        if (!wantsAlarm && !isWatched()) continue
        for (const agentId of agentsIn(outboxEntry)) note(agentId, wantsAlarm ? [outboxEntry.accountId] : [])
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
          const degradations = judgeAgent(lately, runsBefore(whole, lately))
          const data = { agent_id: agentId, period: '1h', executions: runsOf(lately), degradations }
          if (degradations.length > 0)
            for (const accountId of accountIds) await raiseAlarm(agentId, accountId, data)
          if (!(await tellPerformance(agentId, day))) note(agentId, [])
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

/** What an agent did in some time. */
interface AgentRuns {
  readonly completed: number
  readonly failed: number
  /** Of the completed ones together. */
  readonly duration_ms: number
}

/** Fewer runs than these show no habit, and no change of one. */
const fewest = { before: 20, lately: 5 }
/** So many of a hundred runs fewer succeed, or so much longer they take, before it is told. */
const tolerated = { lostPercent: 20, slower: 1.5 }

/** What is clearly worse lately than an agent's own record before; empty when nothing is. */
export function judgeAgent(lately: AgentRuns, before: AgentRuns) {
  if (runsOf(lately) < fewest.lately || runsOf(before) < fewest.before) return []
  return [judgeSuccess(lately, before), judgeDuration(lately, before)].filter((it) => it !== undefined)
}

/** What happened before the last hour, when only the whole and the hour are known. */
export function runsBefore(whole: AgentRuns, lately: AgentRuns): AgentRuns {
  return {
    completed: Math.max(0, whole.completed - lately.completed),
    failed: Math.max(0, whole.failed - lately.failed),
    duration_ms: Math.max(0, whole.duration_ms - lately.duration_ms),
  }
}

function successRateOf(runs: AgentRuns): number | null {
  return percentage(runs.completed, runsOf(runs))
}

function averageMsOf({ completed, duration_ms: ms }: AgentRuns): number | null {
  return completed === 0 ? null : ms / completed
}

function runsOf({ completed, failed }: AgentRuns): number {
  return completed + failed
}

function judgeSuccess(lately: AgentRuns, before: AgentRuns) {
  const [rate, usual] = [successRateOf(lately), successRateOf(before)]
  if (rate === null || usual === null || rate >= usual - tolerated.lostPercent) return undefined
  return {
    metric: 'success_rate' as const,
    current_value: rate,
    baseline: usual,
    threshold: usual - tolerated.lostPercent,
  }
}

function judgeDuration(lately: AgentRuns, before: AgentRuns) {
  const [ms, usual] = [averageMsOf(lately), averageMsOf(before)]
  if (ms === null || usual === null || usual <= 0 || ms <= usual * tolerated.slower) return undefined
  return {
    metric: 'duration' as const,
    current_value: seconds(ms),
    baseline: seconds(usual),
    threshold: seconds(usual * tolerated.slower),
  }
}

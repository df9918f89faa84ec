import type { Engine, Happening } from '#engine'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { isEnd, seconds, type Watcher } from '#runs'
import type { Webhooks } from '#webhooks'
import { liveEvent } from '../live/live-events.ts'
import { claimTelling } from '../told-lately.ts'
import { type AgentRuns, averageMsOf, judgeAgent, runsBefore, runsOf, successRateOf } from './judge-agent.ts'

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
    async watcher(_executor, happenings, wanted) {
      for (const happening of happenings) {
        const wantsAlarm = wanted.get(happening.executionId)?.events.has(alertName) === true
        if (!wantsAlarm && !isWatched()) continue
        for (const agentId of agentsIn(happening)) note(agentId, wantsAlarm ? [happening.accountId] : [])
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
function agentsIn({ events, facts }: Pick<Happening, 'events' | 'facts'>): readonly string[] {
  if (facts === null || !events.some(isEnd)) return []
  return facts.steps.flatMap(({ agent, state }) =>
    agent === undefined || state === 'skipped' ? [] : [agent],
  )
}

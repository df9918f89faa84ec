import type { Database } from '#kernel/database'
import { type StepSums, weeksOfHours } from './flow-stats.ts'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod, type Period, startOf, unitMs } from './period.ts'
import { type RunQuery, readSome, readSums } from './read-sums.ts'
import { errorRollUp, flowRollUp, stepRollUp } from './roll-up.ts'

/** Undefined: all agents. */
type AgentIds = readonly string[] | undefined

const runSums = ['completed', 'failed', 'spent'] as const
type Runs = Readonly<Record<(typeof runSums)[number], number>>

/** The runs of all agents in an hour or on a day. */
interface AgentSpan extends Runs {
  readonly at: Date
}

/** A flow in which agents worked. */
interface FlowOfAgents {
  readonly flowId: string
  readonly executions: number
  readonly failed: number
  /** Agents that its current version names. */
  readonly agents: readonly string[]
}

export interface AgentStats {
  /** By the id of the agent. */
  readonly agents: ReadonlyMap<string, StepSums>
  readonly agentsBefore: ReadonlyMap<string, Runs>
  /** Sorted by number of runs, descending. */
  readonly flows: readonly FlowOfAgents[]
  /** Error codes of failed executions of these flows, the most frequent first. */
  readonly errors: readonly { readonly flowId: string; readonly code: string; readonly executions: number }[]
}

/** When agents run. */
export interface AgentHabits {
  /** Hours of the last weeks and days of the last year with runs, the earliest first. */
  readonly hours: readonly AgentSpan[]
  readonly days: readonly AgentSpan[]
}

interface AgentStatsQuery {
  readonly current: Period
  readonly before: Period
  readonly ids: AgentIds
  readonly now: Date
}

const daysOfYear = 366

/** The sums of agents in a period, over all flows. */
export async function readAgents(
  run: RunQuery,
  { period, ids, now }: { readonly period: Period; readonly ids: AgentIds; readonly now: Date },
): Promise<ReadonlyMap<string, StepSums>> {
  const rows = await readSums(run, stepRollUp, {
    segments: coverPeriod(period, now),
    flows: 'all',
    groupBy: ['step_id'],
    only: ofAgents(ids),
  })
  return new Map(rows.filter(isPresent).map((row) => [row.step_id, row]))
}

/** Reads all statistics of agents in one snapshot. */
export function readAgentStats(database: Database, query: AgentStatsQuery): Promise<AgentStats> {
  return readAtOneMoment(database, (run) => readAgentRuns(run, query))
}

async function readAgentRuns(run: RunQuery, query: AgentStatsQuery): Promise<AgentStats> {
  const { current, before, ids, now } = query
  const flows = await readFlows(run, query)
  const errors = await readSums(run, errorRollUp, {
    segments: coverPeriod(current, now),
    flows: flows.map(({ flowId }) => flowId),
    groupBy: ['flow_id', 'code'],
  })
  const earlier = await readSome(run, stepRollUp, {
    segments: coverPeriod(before, now),
    flows: 'all',
    groupBy: ['step_id'],
    only: ofAgents(ids),
    sums: runSums,
  })
  return {
    agents: await readAgents(run, { period: current, ids, now }),
    agentsBefore: new Map(earlier.filter(isPresent).map((row) => [row.step_id, row])),
    flows,
    errors: errors
      .filter(({ executions }) => executions > 0)
      .map(({ flow_id, code, executions }) => ({ flowId: flow_id, code, executions }))
      .toSorted((one, other) => other.executions - one.executions),
  }
}

export async function readAgentHabits(run: RunQuery, ids: AgentIds, now: Date): Promise<AgentHabits> {
  const ago = (days: number) => new Date(now.getTime() - days * unitMs.day)
  const [hours, days] = await Promise.all([
    readSpans(run, ids, 'hour', startOf('hour', ago(7 * weeksOfHours))),
    readSpans(run, ids, 'day', startOf('day', ago(daysOfYear))),
  ])
  return { hours, days }
}

async function readSpans(
  run: RunQuery,
  ids: AgentIds,
  grain: 'hour' | 'day',
  from: Date,
): Promise<readonly AgentSpan[]> {
  const rows = await readSome(run, stepRollUp, {
    segments: [{ grain, from, to: undefined }],
    flows: 'all',
    groupBy: ['at'],
    only: ofAgents(ids),
    sums: runSums,
  })
  return rows.filter(isPresent).toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

async function readFlows(
  run: RunQuery,
  { current, ids, now }: AgentStatsQuery,
): Promise<readonly FlowOfAgents[]> {
  const segments = coverPeriod(current, now)
  const ran = await readSome(run, stepRollUp, {
    segments,
    flows: 'each',
    groupBy: ['flow_id'],
    only: { type: ['agent'] },
    sums: ['completed', 'failed'],
  })
  const agentsOf = await readAgentsOf(
    run,
    ran.filter(isPresent).map(({ flow_id }) => flow_id),
  )
  const chosen = ran
    .filter(isPresent)
    .map(({ flow_id }) => flow_id)
    .filter((id) => ids === undefined || agentsOf.get(id)?.some((agent) => ids.includes(agent)) === true)
  const sums = await readSome(run, flowRollUp, {
    segments,
    flows: chosen,
    groupBy: ['flow_id'],
    sums: ['executions', 'failed'],
  })
  return sums
    .map(({ flow_id, executions, failed }) => ({
      flowId: flow_id,
      executions,
      failed,
      agents: agentsOf.get(flow_id) ?? [],
    }))
    .toSorted((one, other) => other.executions - one.executions || (one.flowId < other.flowId ? -1 : 1))
}

async function readAgentsOf(
  run: RunQuery,
  flowIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await run<{ flow_id: string; agents: readonly string[] }>(
    `
      select flow.id as flow_id, array_agg(distinct step ->> 'agent') as agents
      from engine_flows as flow
      join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
      cross join lateral jsonb_array_elements(version.definition -> 'steps') as step
      where flow.id = any ($1::text[]) and step ->> 'type' = 'agent'
      group by flow.id
    `,
    [flowIds],
  )
  return new Map(rows.map(({ flow_id, agents }) => [flow_id, agents]))
}

function ofAgents(ids: AgentIds): Readonly<Record<string, readonly string[]>> {
  return { type: ['agent'], ...(ids !== undefined && { step_id: ids }) }
}

/** Subtracted ends leave rows in which all sums are 0. */
function isPresent({ completed, failed }: { readonly completed: number; readonly failed: number }): boolean {
  return completed + failed > 0
}

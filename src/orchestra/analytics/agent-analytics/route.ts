import { Type } from 'typebox'
import { forecastHours, type HistoryResult } from '#engine'
import { access, endedHours, readIdList, recommend, units, unknownId } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../../interface.ts'
import { trendOf } from '../../monitoring/numbers.ts'
import { recordOf } from '../../recommend/record.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { describePatterns } from './patterns.ts'
import { type AgentRuns, busiestFirst, runsOf } from './runs.ts'
import { AgentAnalytics } from './shapes.ts'
import { describeUsage } from './usage.ts'

type AgentFiguresOf = HistoryResult<'agentFigures'>
const agentParameter = { parameter: 'agent_ids', noun: 'agent' }

/** How agents do and what they cost. */
export function addAgentAnalyticsRoute(
  routes: HttpServer,
  { agents, engine: { history } }: Pick<OrchestraOptions, 'agents' | 'engine'>,
): void {
  routes.get(
    `${orchestraPrefix}/agent-analytics`,
    {
      config: { access: access.seesAnalytics },
      schema: {
        operationId: 'readAgentAnalytics',
        summary: 'How agents do and what they cost',
        description:
          'Counts the steps that agents did in executions of everybody, by the moment the execution ended; of the last 24 hours unless a field says otherwise. What there is no data for is null or empty.',
        querystring: AnalyticsQuery,
        response: { 200: AgentAnalytics },
      },
    },
    async ({ query }, reply) => {
      const ids = readIdList(query.agent_ids, agentParameter)
      const [listed, figures] = await Promise.all([agents.list(), history.agentFigures({ ids })])
      const known = listed.map(({ id }) => id)
      const unknown = ids?.find((id) => !known.includes(id) && !figures.agents.has(id))
      if (unknown !== undefined) throw unknownId(unknown, agentParameter)
      const runs = together(ids ?? known, figures)
      return reply.header('cache-control', 'no-store').send({
        analytics: {
          performance_metrics: describePerformance(runs),
          usage_statistics: describeUsage(runs, figures),
          cost_analysis: query.include_costs ? describeCosts(runs, figures) : null,
          recommendation_scores: query.include_recommendations ? scoreAgents(runs) : null,
          execution_patterns: describePatterns(figures),
        },
        timestamp: units.epochSeconds(figures.at),
        ...describeFreshness(figures),
      })
    },
  )
}

/** Those that are asked for, and those that worked and are gone since. */
function together(ids: readonly string[], { agents }: AgentFiguresOf): readonly AgentRuns[] {
  return [...new Set([...ids, ...agents.keys()])].sort().map((id) => ({ id, sums: agents.get(id) }))
}

/** So old the sums may be and still hold everything that had ended: adding up is part of answering. */
const freshMs = 5000

function describeFreshness({ at, completeAt }: AgentFiguresOf) {
  if (completeAt === null) return { data_freshness: null, cache_status: 'stale' }
  const ageMs = Math.max(0, at.getTime() - completeAt.getTime())
  return { data_freshness: Math.round(ageMs / 1000), cache_status: ageMs <= freshMs ? 'fresh' : 'stale' }
}

/** How each agent does. */
function describePerformance(agents: readonly AgentRuns[]) {
  return Object.fromEntries(
    agents.map(({ id, sums }) => {
      const runs = runsOf(sums)
      return [
        id,
        {
          avg_time: units.seconds(units.ratio(sums?.duration_ms ?? 0, sums?.completed ?? 0)),
          success_rate: units.percentage(sums?.completed ?? 0, runs),
          executions_24h: runs,
          error_rate: units.percentage(sums?.failed ?? 0, runs),
          avg_tokens: units.round(
            units.ratio(sums === undefined ? 0 : sums.input_tokens + sums.output_tokens, runs),
            3,
          ),
          confidence_score: units.round(
            units.ratio(sums?.confidence_sum ?? 0, sums?.confidence_count ?? 0),
            3,
          ),
        },
      ]
    }),
  )
}

/** What the work of agents costs: their models, and what they charge themselves. */
function describeCosts(agents: readonly AgentRuns[], figures: AgentFiguresOf) {
  const used = busiestFirst(agents).toSorted((one, other) => other.sums.spent - one.sums.spent)
  const spent = units.sum(used.map(({ sums }) => sums.spent))
  const before = units.sum([...figures.agentsBefore.values()].map((sums) => sums.spent))
  const runs = units.sum(used.map((agent) => agent.runs))
  const average = dailyAverage(figures.hours, figures.at)
  const projection = projectMonth(figures.hours, figures.at)
  const [dearest] = used
  return {
    total_cost_24h: units.dollars(spent),
    cost_per_execution: units.dollars(units.ratio(spent, runs)),
    most_expensive_agent: dearest === undefined || dearest.sums.spent === 0 ? null : dearest.id,
    cost_breakdown: Object.fromEntries(used.map(({ id, sums }) => [id, units.dollars(sums.spent)])),
    cost_trends: {
      '24h_change': trendOf(spent, before),
      '7d_average': units.dollars(average),
      projected_monthly: projection === null ? null : units.dollars(projection.microDollars),
      projection_method: projection?.method ?? null,
      projection_confidence:
        projection === null || projection.confidence === null ? null : units.round(projection.confidence, 3),
    },
  }
}

const { success, quality, cost, speed } = recommend.priorityWeights.balanced

const scoringCriteria = [
  `success, weight ${success}: (completed + 1) / (runs + 2)`,
  `quality, weight ${quality}: the average of texts that were measured, as a share of 100`,
  `cost, weight ${cost}: 1 / (1 + cost / the middle of all agents)`,
  `speed, weight ${speed}: 1 / (1 + time / the middle of all agents)`,
  'what is not known does not count',
]

/** How well each agent has done by itself, from 0 to 1, whatever it may be wanted for; null when it did nothing. */
function scoreAgents(agents: readonly AgentRuns[]) {
  const records = agents.map(({ id, sums }) => ({ id, record: recordOf(sums) }))
  const usualCost = recommend.median(records.map(({ record }) => record.averageMicroDollars))
  const usualMs = recommend.median(records.map(({ record }) => record.medianMs))
  const scores = records.map(({ id, record }) => {
    const score = recommend.weightedMean([
      { ...recommend.successFactor(record, { noun: 'runs', risk: 'medium' }), weight: success },
      { ...recommend.qualityFactor(record.quality, undefined), weight: quality },
      { ...recommend.costFactor(record.averageMicroDollars, usualCost), weight: cost },
      { ...recommend.speedFactor(record.medianMs, usualMs), weight: speed },
    ])
    return [id, units.round(score, 3)] as const
  })
  return { ...Object.fromEntries(scores), scoring_criteria: scoringCriteria }
}

const maxAgents = 100

const AnalyticsQuery = Type.Object(
  {
    include_costs: Type.Boolean({
      default: true,
      description: 'Whether `cost_analysis` is told; null without.',
    }),
    include_recommendations: Type.Boolean({
      default: true,
      description: 'Whether `recommendation_scores` are told; null without.',
    }),
    agent_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxAgents,
        description: 'Only these agents: repeated, or separated by commas. Default: all.',
      }),
    ),
  },
  { additionalProperties: false },
)

type Spans = AgentFiguresOf['hours']

const hourMs = 3_600_000
const dayHours = 24
const weekDays = 7
const monthDays = 30

/** What the next 30 days are likely to cost, in micro-dollars. */
interface Projection {
  readonly microDollars: number
  readonly method: 'seasonal_smoothing' | 'daily_average'
  /** 0 to 1, by how far it was off on the days that are known; null of an average, which nobody has tried. */
  readonly confidence: number | null
}

/** What a day of the last week cost on average, in micro-dollars; of fewer days when less is known. Null when nothing is. */
export function dailyAverage(hours: Spans, now: Date): number | null {
  const [first] = hours
  if (first === undefined) return null
  const from = Math.floor(now.getTime() / hourMs) * hourMs - weekDays * dayHours * hourMs
  const known = (now.getTime() - Math.max(from, first.at.getTime())) / (dayHours * hourMs)
  const spent = units.sum(hours.filter(({ at }) => at.getTime() >= from).map((hour) => hour.spent))
  // Less than a day is not stretched to one: nobody knows what the rest of it brings.
  return spent / Math.min(weekDays, Math.max(1, known))
}

/**
 * Smoothing with seasons over the hours of the last weeks; with fewer than three days of them, thirty times the average day. Null
 * when nothing is known.
 */
export function projectMonth(hours: Spans, now: Date): Projection | null {
  const average = dailyAverage(hours, now)
  if (average === null) return null
  const spentByHour = endedHours(hours, now).map((hour) => hour?.spent ?? 0)
  const forecast = forecastHours(spentByHour, monthDays * dayHours)
  if (forecast === undefined)
    return { microDollars: average * monthDays, method: 'daily_average', confidence: null }
  return {
    microDollars: units.sum(forecast.expected),
    method: 'seasonal_smoothing',
    confidence: 1 - forecast.dayError,
  }
}

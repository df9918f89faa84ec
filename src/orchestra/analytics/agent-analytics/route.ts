import { Type } from 'typebox'
import { forecastHours, type HistoryResult } from '#engine'
import { access, endedHours, readIdList, scoreFactors, scoring, units, unknownId } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../../api.ts'
import { trendOf } from '../../monitoring/numbers.ts'
import { recordOf } from '../../recommend/candidate.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'
import { type AgentRuns, busiestFirst, describePatterns, describeUsage, runsOf } from './patterns.ts'

type AgentStatistics = HistoryResult<'agentStats'>
const agentParameter = { parameter: 'agent_ids', noun: 'agent' }

/** Performance, usage and cost of agents. */
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
        summary: 'Get agent analytics',
        description:
          'Counts the agent steps of all executions by the time the execution finished, over the last 24 hours unless a field says otherwise. Values without data are null or empty.',
        querystring: AnalyticsQuery,
        response: { 200: AgentAnalytics },
      },
    },
    async ({ query }, reply) => {
      const ids = readIdList(query.agent_ids, agentParameter)
      const [listed, stats] = await Promise.all([agents.list(), history.agentStats({ ids })])
      const known = listed.map(({ id }) => id)
      const unknown = ids?.find((id) => !known.includes(id) && !stats.agents.has(id))
      if (unknown !== undefined) throw unknownId(unknown, agentParameter)
      const runs = withDeletedAgents(ids ?? known, stats)
      return reply.header('cache-control', 'no-store').send({
        analytics: {
          performance_metrics: describePerformance(runs),
          usage_statistics: describeUsage(runs, stats),
          cost_analysis: query.include_costs ? describeCosts(runs, stats) : null,
          recommendation_scores: query.include_recommendations ? scoreAgents(runs) : null,
          execution_patterns: describePatterns(stats),
        },
        timestamp: units.epochSeconds(stats.at),
        ...describeFreshness(stats),
      })
    },
  )
}

/** The requested agents, and deleted agents that ran in the period. */
function withDeletedAgents(ids: readonly string[], { agents }: AgentStatistics): readonly AgentRuns[] {
  return [...new Set([...ids, ...agents.keys()])].sort().map((id) => ({ id, sums: agents.get(id) }))
}

/** The age up to which the sums count as complete: each request updates them. */
const freshMs = 5000

function describeFreshness({ at, completeAt }: AgentStatistics) {
  if (completeAt === null) return { data_freshness: null, cache_status: 'stale' }
  const ageMs = Math.max(0, at.getTime() - completeAt.getTime())
  return { data_freshness: Math.round(ageMs / 1000), cache_status: ageMs <= freshMs ? 'fresh' : 'stale' }
}

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

/** The cost of agents: their models and their surcharges. */
function describeCosts(agents: readonly AgentRuns[], stats: AgentStatistics) {
  const used = busiestFirst(agents).toSorted((one, other) => other.sums.spent - one.sums.spent)
  const spent = units.sum(used.map(({ sums }) => sums.spent))
  const before = units.sum([...stats.agentsBefore.values()].map((sums) => sums.spent))
  const runs = units.sum(used.map((agent) => agent.runs))
  const average = dailyAverage(stats.hours, stats.at)
  const projection = projectMonth(stats.hours, stats.at)
  const [topAgent] = used
  return {
    total_cost_24h: units.dollars(spent),
    cost_per_execution: units.dollars(units.ratio(spent, runs)),
    most_expensive_agent: topAgent === undefined || topAgent.sums.spent === 0 ? null : topAgent.id,
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

const { success, quality, cost, speed } = scoring.priorityWeights.balanced

const scoringCriteria = [
  `success, weight ${success}: (completed + 1) / (runs + 2)`,
  `quality, weight ${quality}: the average measured quality, as a share of 100`,
  `cost, weight ${cost}: 1 / (1 + cost / the median of all agents)`,
  `speed, weight ${speed}: 1 / (1 + time / the median of all agents)`,
  'unknown factors do not count',
]

/** The score of each agent by its runs, from 0 to 1; null without runs. */
function scoreAgents(agents: readonly AgentRuns[]) {
  const records = agents.map(({ id, sums }) => ({ id, record: recordOf(sums) }))
  const usualCost = scoreFactors.median(records.map(({ record }) => record.averageMicroDollars))
  const usualMs = scoreFactors.median(records.map(({ record }) => record.medianMs))
  const scores = records.map(({ id, record }) => {
    const score = scoreFactors.weightedMean([
      { ...scoreFactors.successFactor(record, { noun: 'runs', risk: 'medium' }), weight: success },
      { ...scoreFactors.qualityFactor(record.quality, undefined), weight: quality },
      { ...scoreFactors.costFactor(record.averageMicroDollars, usualCost), weight: cost },
      { ...scoreFactors.speedFactor(record.medianMs, usualMs), weight: speed },
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
      description: 'Whether to return `cost_analysis`; else it is null.',
    }),
    include_recommendations: Type.Boolean({
      default: true,
      description: 'Whether to return `recommendation_scores`; else they are null.',
    }),
    agent_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxAgents,
        description: 'Agent ids, repeated or separated by commas. Default: all.',
      }),
    ),
  },
  { additionalProperties: false },
)

type Spans = AgentStatistics['hours']

const hourMs = 3_600_000
const dayHours = 24
const weekDays = 7
const monthDays = 30

/** The projected cost of the next 30 days, in micro-dollars. */
interface Projection {
  readonly microDollars: number
  readonly method: 'seasonal_smoothing' | 'daily_average'
  /** 0 to 1, by the error on known days; null for an average. */
  readonly confidence: number | null
}

/** The average daily cost of the last week or of the known days, in micro-dollars; null without data. */
export function dailyAverage(hours: Spans, now: Date): number | null {
  const [first] = hours
  if (first === undefined) return null
  const from = Math.floor(now.getTime() / hourMs) * hourMs - weekDays * dayHours * hourMs
  const known = (now.getTime() - Math.max(from, first.at.getTime())) / (dayHours * hourMs)
  const spent = units.sum(hours.filter(({ at }) => at.getTime() >= from).map((hour) => hour.spent))
  // Less than a day is not extrapolated to a day.
  return spent / Math.min(weekDays, Math.max(1, known))
}

/**
 * Exponential smoothing with seasons over the hours of the last weeks; with less than three days, thirty times the daily average.
 * Null without data.
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

const numbersBy = (description: string) => Type.Record(Type.String(), Type.Number(), { description })

const Performance = Type.Object({
  avg_time: maybeNumber('Average seconds of completed runs; null without one.'),
  success_rate: maybeNumber('Percent of the runs; null without runs.'),
  executions_24h: integer('Steps of this agent in executions that finished in the last 24 hours.'),
  error_rate: maybeNumber('Percent of the runs; null without runs.'),
  avg_tokens: maybeNumber('Average input and output tokens per run; null without runs.'),
  confidence_score: maybeNumber('Average, 0 to 1; null without a confidence.'),
})

const Usage = Type.Object({
  most_used_agent: maybeText('Null without runs.'),
  usage_distribution: numbersBy('Percent of all runs by agent id, the busiest first.'),
  peak_usage_hours: Type.Array(Type.Integer(), {
    description:
      'The busiest hours of the day in UTC, 0 to 23, in the last 24 hours; at most three, the busiest first.',
  }),
  least_used_agent: maybeText('The least used agent with runs; null without runs.'),
})

const Costs = Type.Object({
  total_cost_24h: number('Dollars for models and surcharges.'),
  cost_per_execution: maybeNumber('Dollars per run; null without runs.'),
  most_expensive_agent: maybeText('The agent with the highest cost; null without costs.'),
  cost_breakdown: numbersBy('Dollars by agent id, the most expensive first.'),
  cost_trends: Type.Object({
    '24h_change': maybeText(
      'Change in percent against the previous 24 hours, such as `+12.5%`; null if they had no cost.',
    ),
    '7d_average': maybeNumber(
      'Dollars per day in the last seven days, or since the first known day; null without data.',
    ),
    projected_monthly: maybeNumber('Dollars in the next 30 days; null without data.'),
    projection_method: maybeText(
      '`seasonal_smoothing`: exponential smoothing with seasons of a day, or of a week once three are known, over the hours of the last four weeks. `daily_average`: thirty times `7d_average`, with less than three days of history.',
    ),
    projection_confidence: maybeNumber(
      '0 to 1: how close forecasts of known days were; null for an average.',
    ),
  }),
})

const Patterns = Type.Object({
  peak_hours: numbersBy(
    'Runs of the last four weeks by the hour of the day in UTC, such as `09:00`; the three busiest.',
  ),
  common_workflows: numbersBy(
    'Executions of the last 24 hours by workflow with these agents; the ten busiest.',
  ),
  failure_patterns: Type.Record(
    Type.String(),
    Type.Object({
      executions: integer('Executions that failed with this code in the last 24 hours.'),
      share: number('Percent of all failures.'),
      workflows: texts('The affected workflows, the most frequent first.'),
    }),
    { description: 'By error code, of the same workflows; the most frequent first.' },
  ),
  seasonal_trends: Type.Object({
    weekday_avg: maybeNumber(
      'Runs per day from Monday to Friday, in the complete days of the last four weeks; null without any.',
    ),
    weekend_avg: maybeNumber('Runs per Saturday and Sunday, likewise.'),
    monthly_pattern: numbersBy('Runs by month, such as `2026-11`, of the last twelve.'),
  }),
})

const Scores = Type.Object(
  { scoring_criteria: texts('The factors of the scores.') },
  {
    additionalProperties: { type: 'number', nullable: true },
    description:
      'By agent id, 0 to 1, from the runs of the last 24 hours; null for agents without runs. Null as a whole unless requested.',
  },
)

export const AgentAnalytics = Type.Object(
  {
    analytics: Type.Object({
      performance_metrics: Type.Record(Type.String(), Performance, {
        description: 'By agent id: all agents, and deleted ones with runs.',
      }),
      usage_statistics: Usage,
      cost_analysis: Type.Union([Costs, Type.Null()], { description: 'Null unless requested.' }),
      recommendation_scores: Type.Union([Scores, Type.Null()]),
      execution_patterns: Patterns,
    }),
    timestamp: integer('When this was read, epoch seconds.'),
    data_freshness: maybeInteger(
      'Seconds since all finished executions were known to be counted; null when that is not known yet.',
    ),
    cache_status: text(
      '`fresh`: all finished executions are counted. `stale`: so many finished at once that counting takes longer.',
    ),
  },
  { description: 'Performance, usage and cost of agents.' },
)

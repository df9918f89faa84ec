import { Type } from 'typebox'
import { type Engine, overviewTimeframes } from '#engine'
import { access, readRate, requireAccount, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { integer, text } from '../../schemas/values.ts'
import { describeRuns, seesAllStats } from './flow-stats.ts'
import { FlowStats, flowParams } from './schemas.ts'

type History = Pick<Engine['history'], 'flowPeriod'>

/** The durations and the cost of one account are those of its newest executions. */
const maxOwnRuns = 50

const FlowPeriod = Type.Object(
  {
    flow_id: Type.String(),
    timeframe: Type.Enum([...overviewTimeframes]),
    from: text('ISO 8601, in UTC.'),
    to: text('The end of the current bucket.'),
    bucket_seconds: integer('The length of a bucket: 900, 3600 or 86400.'),
    ...FlowStats.properties,
    of: Type.Enum(['all', 'own'], {
      description:
        '`all`: executions of all accounts, for callers who may see their numbers. `own`: your executions; durations and cost are those of your newest 50 in the period.',
    }),
    completed: integer('Completed executions.'),
    failed: integer('Failed executions.'),
    cancelled: integer('Cancelled executions.'),
    buckets: Type.Array(
      Type.Object({
        at: text('ISO 8601, in UTC.'),
        executions: integer('Executions that ended.'),
        completed: integer('Completed executions.'),
        failed: integer('Failed executions.'),
        cancelled: integer('Cancelled executions.'),
      }),
      { description: 'The period by time, the earliest first.' },
    ),
  },
  { description: 'The executions of a flow that ended in a period.' },
)

/** The statistics of one flow in a period, with its executions by time. */
export function addFlowPeriodRoute(
  routes: HttpServer,
  { flows, history, executions }: Pick<Engine, 'flows' | 'executions'> & { readonly history: History },
): void {
  routes.get(
    `${workflowsPrefix}/flows/:id/stats`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readFlowStats',
        summary: 'Get the statistics of a flow',
        description:
          'Success rate, duration and cost of the executions that ended in a period, and their number by time.',
        params: flowParams,
        querystring: Type.Object(
          { timeframe: Type.Enum([...overviewTimeframes], { default: '30d' }) },
          { additionalProperties: false },
        ),
        response: { 200: FlowPeriod },
      },
    },
    async ({ params: { id }, query: { timeframe }, principal }, reply) => {
      const { flowId } = await flows.read(id)
      const accountId = seesAllStats(principal) ? undefined : requireAccount(principal)
      const { period, buckets, total, rates } = await history.flowPeriod({ flowId, timeframe, accountId })
      return reply.header('cache-control', 'no-store').send({
        flow_id: flowId,
        timeframe,
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        bucket_seconds: period.bucketMs / 1000,
        of: accountId === undefined ? 'all' : 'own',
        ...total,
        success_rate: units.successRate(total),
        ...(accountId === undefined
          ? {
              median_duration: units.seconds(rates?.medianMs ?? null),
              p95_duration: units.seconds(rates?.p95Ms ?? null),
              average_cost: units.dollars(rates?.averageMicroDollars ?? null),
            }
          : await readOwnRates({ flowId, accountId, since: period.from })),
        buckets: buckets.map(({ at, ...sums }) => ({ at: at.toISOString(), ...sums })),
      })
    },
  )

  async function readOwnRates({
    flowId,
    accountId,
    since,
  }: {
    flowId: string
    accountId: string
    since: Date
  }) {
    const runs = await executions.latestOf([flowId], { accountId, count: maxOwnRuns })
    const { median_duration, p95_duration, average_cost } = describeRuns(
      runs.filter(({ finishedAt }) => finishedAt !== null && finishedAt >= since),
    )
    return { median_duration, p95_duration, average_cost }
  }
}

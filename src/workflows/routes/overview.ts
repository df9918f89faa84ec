import { Type } from 'typebox'
import { type HistoryResult, overviewTimeframes } from '#engine'
import { access, managesAll, readRate, requireAccount, units } from '#executions-api'
import type { HttpServer, Principal } from '#kernel/http'
import { workflowsPrefix } from '../api.ts'
import { flag, integer, maybeInteger, maybeNumber, maybeText, number, text } from '../schemas/values.ts'
import { describeEntry, Entry } from './executions/entries.ts'
import type { ListOptions } from './executions/list.ts'
import { seesAllStats } from './flows/flow-stats.ts'

type Page = HistoryResult<'page'>
type Sums = Page['total']

const sumFields = {
  executions: integer('Executions that ended.'),
  completed: integer('Completed executions.'),
  failed: integer('Failed executions.'),
  cancelled: integer('Cancelled executions.'),
  cost: number('Dollars.'),
  input_tokens: integer('Tokens sent to models.'),
  output_tokens: integer('Tokens of models.'),
}

const at = text('ISO 8601, in UTC.')

const RankedFlow = Type.Object({
  flow_id: Type.String(),
  label: maybeText('The label of the current version; null when the flow was deleted.'),
  executions: integer('Executions that ended.'),
  failed: integer('Failed executions.'),
  success_rate: maybeNumber('Completed executions in percent of completed and failed ones.'),
  average_duration: maybeNumber('Seconds, of completed executions.'),
  p95_duration: maybeNumber('Seconds, of completed executions.'),
})

export const Overview = Type.Object(
  {
    scope: Type.Enum(['all', 'own'], { description: 'The accounts that the numbers cover.' }),
    timeframe: Type.Enum([...overviewTimeframes]),
    from: at,
    to: text('The end of the current bucket.'),
    bucket_seconds: integer('The length of a bucket: 900, 3600 or 86400.'),
    details_from: text(
      'Tokens, durations, retries and failures cover the time from here on. Later than `from` only for an account with very many executions.',
    ),
    buckets: Type.Array(Type.Object({ at, ...sumFields }), {
      description: 'The period by time, the earliest first.',
    }),
    before: Type.Object(
      { ...sumFields, buckets: Type.Array(Type.Object({ at, ...sumFields })) },
      { description: 'The period of the same length before.' },
    ),
    totals: Type.Object({
      ...sumFields,
      success_rate: maybeNumber('Completed executions in percent of completed and failed ones.'),
      p95_duration: maybeNumber('Seconds, of completed executions.'),
      retries: integer('Attempts of steps after their first.'),
    }),
    running: integer('Executions that run now, at most 1000.'),
    queued: integer('Executions that wait for a worker, at most 1000.'),
    needs_approval: integer('Executions that wait for approval, at most 1000.'),
    has_run: flag('Whether your account has started an execution that is still stored.'),
    slowest: Type.Array(RankedFlow, { description: 'At most 5 flows, by p95.' }),
    failing: Type.Array(RankedFlow, { description: 'At most 5 flows, by failed executions.' }),
    failures: Type.Array(
      Type.Object({
        flow_id: Type.String(),
        label: maybeText('The label of the current version; null when the flow was deleted.'),
        error_code: Type.String(),
        executions: integer('Executions that failed with this error.'),
        last_execution_id: maybeText(
          'The newest of them; null when you may not see it, or when it is not among the newest of its flow.',
        ),
        last_at: maybeInteger('Epoch seconds.'),
        message: maybeText('The error message of the newest of them.'),
      }),
      { description: 'At most 10 groups, by flow and error, the largest first.' },
    ),
    recent: Type.Array(Entry, { description: 'The 10 newest executions that you may see.' }),
    generated_at: integer('Epoch seconds.'),
  },
  { description: 'The overview.' },
)

/** The overview of a period: runs, cost, failures and the newest executions. */
export function addOverviewRoute(routes: HttpServer, { engine, usernamesOf }: ListOptions): void {
  routes.get(
    `${workflowsPrefix}/overview`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readOverview',
        summary: 'Get an overview of executions',
        description:
          'Counts executions by the time they finished. With `manage workflows` or `view workflow analytics` the numbers cover all accounts, else your own. Executions of others are listed only with `manage workflows`.',
        querystring: Type.Object(
          { timeframe: Type.Enum([...overviewTimeframes], { default: '24h' }) },
          { additionalProperties: false },
        ),
        response: { 200: Overview },
      },
    },
    async ({ principal, query: { timeframe } }, reply) => {
      const scope = seesAllStats(principal) ? 'all' : 'own'
      const page = await engine.history.page({
        timeframe,
        accountId: scope === 'all' ? undefined : requireAccount(principal),
        callerId: principal.id,
        shows: showsOf(principal),
      })
      const names = await usernamesOf(page.recent.map(({ accountId }) => accountId))
      return reply
        .header('cache-control', 'no-store')
        .send({ scope, timeframe, ...describePage(page, names) })
    },
  )
}

/** Whose executions are listed. */
function showsOf(principal: Principal) {
  if (managesAll(principal)) return 'all'
  if (principal.id === null || !principal.permissions.has('run workflows')) return 'none'
  return { accountId: principal.id }
}

function describePage(page: Page, names: ReadonlyMap<string, string>) {
  const { period, total, labels } = page
  const labelOf = (flowId: string) => labels.get(flowId) ?? null
  const describeFlow = (flow: Page['slowest'][number]) => ({
    flow_id: flow.flowId,
    label: labelOf(flow.flowId),
    executions: flow.executions,
    failed: flow.failed,
    success_rate: units.successRate(flow),
    average_duration: units.seconds(flow.averageMs),
    p95_duration: units.seconds(flow.p95Ms),
  })
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    bucket_seconds: period.bucketMs / 1000,
    details_from: page.detailsFrom.toISOString(),
    buckets: page.buckets.map(describeBucket),
    before: { ...describeSums(page.totalBefore), buckets: page.bucketsBefore.map(describeBucket) },
    totals: {
      ...describeSums(total),
      success_rate: units.successRate(total),
      p95_duration: units.seconds(page.p95Ms),
      retries: page.retries,
    },
    running: page.active.running,
    queued: page.active.queued,
    needs_approval: page.active.needsApproval,
    has_run: page.hasRun,
    slowest: page.slowest.map(describeFlow),
    failing: page.failing.map(describeFlow),
    failures: page.failures.map(({ flowId, errorCode, executions, last }) => ({
      flow_id: flowId,
      label: labelOf(flowId),
      error_code: errorCode,
      executions,
      last_execution_id: last?.id ?? null,
      last_at: units.epochSeconds(last?.at ?? null),
      message: last?.message ?? null,
    })),
    recent: page.recent.map((entry) => describeEntry(entry, names)),
    generated_at: units.epochSeconds(page.now),
  }
}

function describeBucket({ at: start, ...sums }: Page['buckets'][number]) {
  return { at: start.toISOString(), ...describeSums(sums) }
}

function describeSums({ executions, completed, failed, cancelled, spent, inputTokens, outputTokens }: Sums) {
  return {
    executions,
    completed,
    failed,
    cancelled,
    cost: units.dollars(spent),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  }
}

import { Type } from 'typebox'
import { integer, maybeInteger, maybeNumber, maybeText, number, text } from '../../schemas/values.ts'
import { groupings } from './query.ts'

const successRate = maybeNumber('Percent of those that completed or failed; null when none did.')
const averageDuration = maybeNumber('Seconds, of the completed ones; null when none completed.')
const trend = (of: string) =>
  maybeText(
    `${of}: percent with its sign against the time before, such as \`+12.5%\`; null when there was none.`,
  )

const Metrics = Type.Object({
  total_executions: integer('Executions that ended in this time.'),
  successful_executions: integer('Those that completed.'),
  failed_executions: integer('Those that failed.'),
  cancelled_executions: integer('Those that were cancelled.'),
  success_rate: successRate,
  average_duration: averageDuration,
  median_duration: maybeNumber(
    'Seconds, from counts between fixed bounds, so off by up to a half; null when none completed.',
  ),
  total_cost: number('Dollars.'),
  unpriced_executions: integer('Those that asked models without a known price: their cost is not complete.'),
  tokens_consumed: integer('Read and written by models.'),
  unique_workflows: integer('Workflows of which an execution ended.'),
  peak_concurrent_executions: maybeInteger(
    'The most executions that ran at the same time. Counted from their begins and ends, or, where there are too many of them, the most that were seen in samples of every second; null when neither is there.',
  ),
  peak_concurrent_source: maybeText(
    '`executions` is exact, `samples` is what was seen; null without a number.',
  ),
})

const Trends = Type.Object({
  execution_trend: trend('Executions'),
  success_rate_trend: trend('Rate of success'),
  cost_trend: trend('Cost'),
  performance_trend: trend('Speed, which is how many would complete in the same time: more is faster'),
  trend_period: text('What it is compared with, such as `previous 24h`.'),
})

const Workflow = Type.Object({
  executions: integer('That ended.'),
  success_rate: successRate,
  avg_duration: averageDuration,
  cost: number('Dollars.'),
  trend: trend('Executions'),
})

export const WorkflowMetrics = Type.Object(
  {
    metrics: Metrics,
    trends: Type.Union([Trends, Type.Null()], { description: 'Null unless asked for.' }),
    by_workflow: Type.Record(Type.String(), Workflow, {
      description:
        'By the id of the workflow, the busiest 200; those that were asked for also when nothing ran.',
    }),
    hourly_breakdown: Type.Array(
      Type.Object({
        hour: text('When it begins, ISO 8601, UTC.'),
        executions: integer('That ended in this hour and belong to the time asked for.'),
        success_rate: successRate,
        avg_duration: averageDuration,
      }),
      { description: 'Every hour, quiet ones included, the earliest first.' },
    ),
    group_by: Type.Enum([...groupings]),
    breakdown: Type.Array(
      Type.Object({
        key: text('A workflow, or when the hour or day begins, by `group_by`.'),
        executions: integer('That ended.'),
        success_rate: successRate,
        avg_duration: averageDuration,
        cost: number('Dollars.'),
        cost_share: maybeNumber('Percent of all cost; null when nothing cost anything.'),
      }),
      { description: 'By `group_by`: workflows with the busiest first, hours and days with the earliest.' },
    ),
    timeframe: text('The time that was asked for.'),
    generated_at: integer('When this was read, epoch seconds.'),
  },
  { description: 'How workflows run and what they cost.' },
)

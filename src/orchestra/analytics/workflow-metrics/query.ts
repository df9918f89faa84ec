import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { readIdList } from '#runs'

export const groupings = ['flow', 'hour', 'day'] as const
export type Grouping = (typeof groupings)[number]

const mostFlows = 50

export const MetricsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The time up to now. It is compared with the time of the same length before it.',
    }),
    include_trends: Type.Boolean({
      default: true,
      description: 'Whether `trends`, and the `trend` of each workflow, are told; null without.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: mostFlows,
        description: 'Only these workflows: repeated, or separated by commas. Default: all.',
      }),
    ),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description:
        'By what `breakdown` is told apart. `by_workflow` and `hourly_breakdown` are always there.',
    }),
  },
  { additionalProperties: false },
)

export type MetricsQuery = Static<typeof MetricsQuery>

/** The workflows that are asked for, each once; undefined: all. */
export function readFlowIds({ flow_ids: given }: MetricsQuery): readonly string[] | undefined {
  return readIdList(given, { parameter: 'flow_ids', thing: 'workflow' })
}

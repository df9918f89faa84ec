import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { readIdList } from '#runs'

const groupings = ['flow', 'step_type', 'provider'] as const
export type Grouping = (typeof groupings)[number]

const mostFlows = 50

export const AnalyticsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The time up to now. It is compared with the time of the same length before it.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: mostFlows,
        description: 'Only these flows: repeated, or separated by commas. Default: all.',
      }),
    ),
    include_predictions: Type.Boolean({
      default: true,
      description: 'Whether `predictions` are made; null without.',
    }),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description: 'By what `analytics_summary.breakdown` and `cost_analysis.cost_breakdown` are told apart.',
    }),
    include_cost_breakdown: Type.Boolean({
      default: true,
      description: 'Whether `cost_analysis.cost_breakdown` is told; null without.',
    }),
  },
  { additionalProperties: false },
)

export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/** The flows that are asked for, each once; undefined: all. */
export function readFlowIds(given: readonly string[] | undefined): readonly string[] | undefined {
  return readIdList(given, { parameter: 'flow_ids', thing: 'flow' })
}

import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'

const groupings = ['flow', 'step_type', 'provider'] as const
export type Grouping = (typeof groupings)[number]

const maxFlows = 50

export const AnalyticsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The period up to now. It is compared with the previous period of the same length.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxFlows,
        description: 'Flow ids, repeated or separated by commas. Default: all.',
      }),
    ),
    include_predictions: Type.Boolean({
      default: true,
      description: 'Whether to return `predictions`; else it is null.',
    }),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description: 'The grouping of `analytics_summary.breakdown` and `cost_analysis.cost_breakdown`.',
    }),
    include_cost_breakdown: Type.Boolean({
      default: true,
      description: 'Whether to return `cost_analysis.cost_breakdown`; else it is null.',
    }),
  },
  { additionalProperties: false },
)

export type AnalyticsQuery = Static<typeof AnalyticsQuery>

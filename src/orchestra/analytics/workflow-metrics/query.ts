import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'

export const groupings = ['flow', 'hour', 'day'] as const
export type Grouping = (typeof groupings)[number]

const maxFlows = 50

export const MetricsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The period up to now. It is compared with the previous period of the same length.',
    }),
    include_trends: Type.Boolean({
      default: true,
      description: 'Whether to return `trends` and the `trend` of each workflow; else they are null.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxFlows,
        description: 'Workflow ids, repeated or separated by commas. Default: all.',
      }),
    ),
    group_by: Type.Enum([...groupings], {
      default: 'flow',
      description: 'The grouping of `breakdown`. `by_workflow` and `hourly_breakdown` are always returned.',
    }),
  },
  { additionalProperties: false },
)

export type MetricsQuery = Static<typeof MetricsQuery>

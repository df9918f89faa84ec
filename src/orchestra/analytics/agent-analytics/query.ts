import { type Static, Type } from 'typebox'
import { readIdList } from '#runs'

const mostAgents = 100

export const AnalyticsQuery = Type.Object(
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
        maxItems: mostAgents,
        description: 'Only these agents: repeated, or separated by commas. Default: all.',
      }),
    ),
  },
  { additionalProperties: false },
)

type AnalyticsQuery = Static<typeof AnalyticsQuery>

/** The agents that are asked for, each once; undefined: all. */
export function readAgentIds({ agent_ids: given }: AnalyticsQuery): readonly string[] | undefined {
  return readIdList(given, { parameter: 'agent_ids', thing: 'agent' })
}

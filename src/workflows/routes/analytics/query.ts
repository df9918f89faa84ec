import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { kernelFailure } from '#kernel/errors'

const groupings = ['flow', 'step_type', 'provider'] as const
export type Grouping = (typeof groupings)[number]

const mostFlows = 50
const flowId = /^[a-z0-9][a-z0-9_-]{0,63}$/

export const AnalyticsQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The time up to now. It is compared with the time of the same length before it.',
    }),
    flow_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4000 }), {
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
  if (given === undefined) return undefined
  const ids = [...new Set(given.flatMap((text) => text.split(',')).map((id) => id.trim()))]
  const wrong = ids.find((id) => !flowId.test(id))
  if (wrong !== undefined) throw invalidFlowIds(`has "${wrong}", which no flow can be called`)
  if (ids.length > mostFlows) throw invalidFlowIds(`must name at most ${mostFlows} flows`)
  return ids
}

export function invalidFlowIds(message: string) {
  return kernelFailure('invalid_input', {
    message: `flow_ids ${message}.`,
    problems: [{ path: 'flow_ids', message, code: 'value' }],
    details: { part: 'query' },
  })
}

import { type Static, Type } from 'typebox'
import { timeframes } from '#engine'
import { invalidField } from '#executions-api'
import type { Grain } from '#kernel/metrics-history'

type Timeframe = (typeof timeframes)[number]

const parts = ['response_times', 'throughput', 'error_rates', 'resource_utilization'] as const
export type Part = (typeof parts)[number]

const granularities = ['minute', 'hour', 'day'] as const satisfies readonly Grain[]

export const PerformanceQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The period up to now. It is compared with the previous period of the same length.',
    }),
    granularity: Type.Optional(
      Type.Enum([...granularities], {
        description:
          'The length of each point of `timeseries`: at most the timeframe, and minutes only up to a day. Default: minutes for an hour, hours for a day or a week, days for a month.',
      }),
    ),
    metrics: Type.Optional(
      Type.Array(Type.Enum([...parts]), {
        maxItems: 20,
        description: 'The parts of `metrics` to return, repeated or separated by commas. Default: all.',
      }),
    ),
    include_predictions: Type.Boolean({
      default: true,
      description: 'Whether to return `predictions`; else it is null.',
    }),
  },
  { additionalProperties: false },
)

export type PerformanceQuery = Static<typeof PerformanceQuery>

/** The granularities of each timeframe; the first is the default. */
const granularitiesOf: Readonly<Record<Timeframe, readonly [Grain, ...Grain[]]>> = {
  '1h': ['minute', 'hour'],
  '24h': ['hour', 'minute', 'day'],
  '7d': ['hour', 'day'],
  '30d': ['day', 'hour'],
}

/** The granularity of the points. Throws `invalid_input` for one that the timeframe does not support. */
export function readGranularity({ timeframe, granularity }: PerformanceQuery): Grain {
  const choices = granularitiesOf[timeframe]
  if (granularity === undefined) return choices[0]
  if (choices.includes(granularity)) return granularity
  throw invalidField({
    path: 'granularity',
    message: `cannot be ${granularity} for ${timeframe}: use ${choices.join(' or ')}`,
    code: 'value',
  })
}

/** The requested parts. */
export function readParts({ metrics }: PerformanceQuery): ReadonlySet<Part> {
  return new Set(metrics ?? parts)
}

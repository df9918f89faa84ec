import { type Static, Type } from 'typebox'
import { type Timeframe, timeframes } from '#engine'
import { kernelFailure } from '#kernel/errors'
import type { Grain } from '#kernel/vitals'

const parts = ['response_times', 'throughput', 'error_rates', 'resource_utilization'] as const
export type Part = (typeof parts)[number]

const granularities = ['minute', 'hour', 'day'] as const satisfies readonly Grain[]

export const PerformanceQuery = Type.Object(
  {
    timeframe: Type.Enum([...timeframes], {
      default: '24h',
      description: 'The time up to now. It is compared with the time of the same length before it.',
    }),
    granularity: Type.Optional(
      Type.Enum([...granularities], {
        description:
          'How long each point of `timeseries` is: no longer than the timeframe, and minutes only up to a day, as they are not kept longer. Default: minutes of an hour, hours of a day or a week, days of a month.',
      }),
    ),
    metrics: Type.Optional(
      Type.Array(Type.Enum([...parts]), {
        maxItems: 20,
        description: 'Which parts of `metrics` are told: repeated, or separated by commas. Default: all.',
      }),
    ),
    include_predictions: Type.Boolean({
      default: true,
      description: 'Whether `predictions` are made; null without.',
    }),
  },
  { additionalProperties: false },
)

export type PerformanceQuery = Static<typeof PerformanceQuery>

/** What each timeframe can be looked at by; the first is the usual one. */
const possible: Readonly<Record<Timeframe, readonly [Grain, ...Grain[]]>> = {
  '1h': ['minute', 'hour'],
  '24h': ['hour', 'minute', 'day'],
  '7d': ['hour', 'day'],
  '30d': ['day', 'hour'],
}

/** The length of the points; throws for one that the timeframe cannot be told by. */
export function readGranularity({ timeframe, granularity }: PerformanceQuery): Grain {
  const choices = possible[timeframe]
  if (granularity === undefined) return choices[0]
  if (choices.includes(granularity)) return granularity
  throw invalid('granularity', `cannot be ${granularity} for ${timeframe}: take ${choices.join(' or ')}`)
}

/** The parts that were asked for. */
export function readParts({ metrics }: PerformanceQuery): ReadonlySet<Part> {
  return new Set(metrics ?? parts)
}

function invalid(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
    details: { part: 'query' },
  })
}

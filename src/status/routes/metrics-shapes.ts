import { Type } from 'typebox'
import { Moment } from './shapes.ts'

export const LiveMetrics = Type.Object(
  {
    totalRequests: Type.Integer({
      description:
        'Requests answered by the platform and by the cluster service, for the two years they are kept. A call of the gateway that goes through the cluster counts once.',
    }),
    totalTokens: Type.Integer({
      description: 'Tokens of all models, in and out, through the gateway or through the cluster service.',
    }),
    averageResponseTime: Type.Number({
      description: 'Milliseconds an answer of the platform took over the last day; 0 when there was none.',
    }),
    modelsActive: Type.Integer({
      description: 'Models in the memory of a node, or that answered within the last five minutes.',
    }),
    uptime: Type.String({ description: 'How long the oldest process runs, such as `3d 4h`.' }),
    timestamp: Moment,
    uptimeSeconds: Type.Integer(),
    requestsPerMinute: Type.Number({ description: 'Over the last five minutes.' }),
  },
  { description: 'What goes on.' },
)

export const seriesRanges = ['1h', '24h', '30d', '90d'] as const
export const speedRanges = ['1h', '24h', '7d'] as const
const Milliseconds = Type.Union([Type.Number(), Type.Null()])

export const Series = Type.Object(
  {
    range: Type.Enum([...seriesRanges]),
    grain: Type.Enum(['minute', 'hour', 'day'], { description: 'How long each point is.' }),
    points: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time', description: 'When it begins.' }),
        requests: Type.Integer({ description: 'Answers of all interfaces, and of the cluster service.' }),
        errors: Type.Integer({ description: 'Those that failed by our fault.' }),
        average_ms: Milliseconds,
        max_ms: Milliseconds,
        calls: Type.Integer({ description: 'Calls of models, through the gateway or the cluster service.' }),
        input_tokens: Type.Integer(),
        output_tokens: Type.Integer(),
      }),
      { description: 'Also those in which nothing happened; the earliest first, the one under way last.' },
    ),
    timestamp: Moment,
  },
  { description: 'Requests, response times and tokens over time.' },
)

const percentiles = { p50_ms: Milliseconds, p95_ms: Milliseconds, p99_ms: Milliseconds }

export const Speeds = Type.Object(
  {
    range: Type.Enum([...speedRanges]),
    models: Type.Array(
      Type.Object({
        provider: Type.String(),
        model: Type.String(),
        calls: Type.Integer(),
        failures: Type.Integer(),
        ...percentiles,
        first_token: Type.Object(
          {
            ...percentiles,
            measured: Type.Integer({ description: 'Calls that told when their first token came.' }),
          },
          { description: 'Until the first token came.' },
        ),
        input_tokens: Type.Integer(),
        output_tokens: Type.Integer(),
      }),
      { description: 'The busiest first, at most 100. Answers from memory are left out.' },
    ),
    timestamp: Moment,
  },
  { description: 'How fast models answer.' },
)

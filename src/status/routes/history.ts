import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { type Counts, type History, historyRanges } from '../history/history-report.ts'
import { serviceNames } from '../services/service.ts'
import { cacheFor, watcherAccess } from './answers.ts'
import { Moment } from './shapes.ts'

const Milliseconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const counts = {
  uptime: Type.Union([Type.Number(), Type.Null()], {
    description: 'Percent of the probes that were not offline; null when nobody looked.',
  }),
  checks: Type.Integer({ description: 'How many probes there were: the sum of the next three.' }),
  online: Type.Integer(),
  degraded: Type.Integer(),
  offline: Type.Integer(),
  average_ms: Milliseconds('The average response time; null when nothing was measured.'),
}

const HistoryAnswer = Type.Object(
  {
    range: Type.Enum([...historyRanges]),
    services: Type.Array(
      Type.Object({
        name: Type.Enum([...serviceNames]),
        ...counts,
        p50_ms: Milliseconds('Half of the probes were answered within it, right to within a fifth.'),
        p95_ms: Milliseconds('95 of 100 were.'),
        p99_ms: Milliseconds('99 of 100 were.'),
        max_ms: Milliseconds('All were.'),
        bars: Type.Array(
          Type.Object({
            at: Type.String({ format: 'date-time', description: 'When it begins.' }),
            state: Type.Enum(['online', 'degraded', 'offline', 'none'], {
              description:
                '`none`: nobody looked. `offline`: more than half of the probes. `degraded`: more than one of a hundred were not online.',
            }),
            ...counts,
          }),
          { description: 'Quarters of an hour, or days in UTC; the earliest first.' },
        ),
      }),
    ),
    timestamp: Moment,
  },
  { description: 'How the services were.' },
)

const metricsSeconds = 60

/** How services were over the last day, month or quarter. */
export function addHistoryRoutes(routes: HttpServer, { history }: { readonly history: History }): void {
  routes.get(
    '/admin/llm/history',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readServiceHistory',
        summary: 'How services were',
        description:
          'What each single probe saw, before damping: for the last day by quarters of an hour, for 30 and 90 days by days. While the database was away nobody could write, and there are no probes.',
        querystring: Type.Object(
          {
            service: Type.Optional(Type.Enum([...serviceNames], { description: 'All of them when absent.' })),
            range: Type.Optional(Type.Enum([...historyRanges], { default: '24h' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: HistoryAnswer },
      },
    },
    async (request, reply) => {
      const { service, range = '24h' } = request.query
      const services = await history.read({ service, range })
      return cacheFor(reply, metricsSeconds).send({
        range,
        services: services.map((one) => ({
          name: one.service,
          ...countsOf(one),
          p50_ms: rounded(one.p50),
          p95_ms: rounded(one.p95),
          p99_ms: rounded(one.p99),
          max_ms: rounded(one.maxMs),
          bars: one.bars.map((bar) => ({ at: bar.at.toISOString(), state: bar.state, ...countsOf(bar) })),
        })),
        timestamp: new Date().toISOString(),
      })
    },
  )
}

function countsOf({
  uptime,
  checks,
  online,
  degraded,
  offline,
  averageMs,
}: Counts & { readonly uptime: number | null; readonly averageMs: number | null }) {
  return {
    uptime: uptime === null ? null : Math.round(uptime * 1000) / 1000,
    checks,
    online,
    degraded,
    offline,
    average_ms: rounded(averageMs),
  }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}

import { Type } from 'typebox'
import {
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
} from '../../schemas/values.ts'

const status = Type.Enum(['healthy', 'partial', 'offline'], {
  description: 'partial: it works, and not all is well.',
})

export const Health = Type.Object(
  {
    overall_status: status,
    health_score: integer(
      '0 to 100: orchestrator 30, database 25, queue 20, providers 20, cache 5; healthy counts in full, partial by half. Providers count by the share that is online, degraded ones by half. A cache that is switched off is left out.',
    ),
    components: Type.Object({
      orchestrator: Type.Object({
        status,
        response_time: maybeNumber('Seconds, on the average of the last hour; null without requests.'),
        uptime: number('Seconds since the process that answers began.'),
        last_restart: integer('When the youngest process of the platform began. Epoch seconds.'),
      }),
      queue_processor: Type.Object({
        status,
        queue_size: integer('Executions that wait, whatever for.'),
        processing_rate: number('Executions that ended in a minute, in the last quarter of an hour.'),
        failed_jobs_24h: integer('Executions that failed in the last 24 hours.'),
      }),
      ai_providers: Type.Object({
        status,
        healthy_providers: integer('Those that are online.'),
        total_providers: integer('Those that are set up.'),
        degraded_providers: texts('Those that are set up and not online.'),
      }),
      database: Type.Object({
        status,
        connection_pool: Type.Object({
          total: integer('Open connections of this process.'),
          idle: integer('Those nobody uses.'),
          in_use: integer('Those somebody uses.'),
          waiting: integer(
            'Callers that waited for one in the last ten seconds, as a median: a short burst is not counted.',
          ),
        }),
        query_performance: number('Seconds that a query by key took just now.'),
        replication_lag: maybeNumber(
          'Seconds of the replica that is furthest behind; null without replicas.',
        ),
      }),
      cache: Type.Object(
        {
          status,
          hit_rate: maybeNumber('Percent of deterministic calls that were remembered; null without calls.'),
          memory_usage: maybeNumber('Percent of its room; null when it is switched off.'),
          memory_bytes: integer('What remembered answers take.'),
          eviction_rate: maybeNumber(
            'Percent of remembered answers that made room for others; null without any.',
          ),
        },
        { description: 'Answers of models that this process remembers, since it began.' },
      ),
    }),
    performance_metrics: Type.Object(
      {
        avg_response_time: maybeNumber('Seconds; null without requests.'),
        throughput: number('Requests a minute.'),
        error_rate: maybeNumber('Percent of requests that failed by our fault (5xx); null without requests.'),
        availability: maybeNumber(
          'Percent of the minutes of the last 24 hours in which a process ran, from the first that is known; null before the first.',
        ),
      },
      { description: 'Of the last hour, all processes together, without health checks.' },
    ),
    alerts: Type.Array(
      Type.Object({
        level: Type.Enum(['info', 'warning', 'critical']),
        component: text('The component it is about.'),
        message: text('What is wrong.'),
        since: integer('Epoch seconds.'),
        impact: text('What follows from it.'),
      }),
      { description: 'What is not well, the worst first.' },
    ),
    recommendations: texts('What to do about the alerts, in their order.'),
    next_maintenance: maybeInteger('Always null: no maintenance is ever planned, updates need none.'),
    timestamp: integer('Epoch seconds.'),
    details: Type.Optional(
      Type.Object(
        {
          processes: Type.Array(
            Type.Object({
              id: text('Drawn when it began.'),
              host: text('The machine it runs on.'),
              pid: integer('Its number there.'),
              started_at: integer('Epoch seconds.'),
              seen_at: integer('Epoch seconds.'),
              cpu_usage: number('Percent of one processor.'),
              memory_bytes: integer('Resident memory.'),
              event_loop_delay: number('Seconds its event loop was late, on the average.'),
            }),
          ),
          workers: Type.Array(
            Type.Object({
              id: text('Drawn when it began.'),
              name: text('Where it runs.'),
              alive: flag('Whether it has shown itself in the last ten seconds.'),
              heartbeat_at: integer('Epoch seconds.'),
            }),
          ),
          providers: Type.Array(
            Type.Object({
              name: text('As it is asked for.'),
              status: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
              response_time: maybeNumber('Seconds of the last probe.'),
              last_error: maybeText('What is wrong; null when nothing is.'),
              checked_at: integer('Epoch seconds.'),
            }),
          ),
          interfaces: Type.Array(
            Type.Object({
              name: text('As in the OpenAPI description.'),
              requests: integer('Of the last hour.'),
              avg_response_time: maybeNumber('Seconds.'),
            }),
          ),
          thresholds: freeForm('Where alerts begin.'),
        },
        { description: 'Only with `include_details`.' },
      ),
    ),
  },
  { description: 'How every part of the platform is.' },
)

export const HealthQuery = Type.Object(
  {
    include_details: Type.Boolean({
      default: false,
      description:
        'Adds `details`: processes, workers, providers, interfaces and thresholds, each by itself.',
    }),
    check_providers: Type.Boolean({
      default: false,
      description: 'Asks every provider now, for five seconds at most, in place of what the last probe saw.',
    }),
  },
  { additionalProperties: false },
)

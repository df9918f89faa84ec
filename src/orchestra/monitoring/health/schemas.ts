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
  description: 'partial: it works with problems.',
})

export const Health = Type.Object(
  {
    overall_status: status,
    health_score: integer(
      '0 to 100: orchestrator 30, database 25, queue 20, providers 20, cache 5; healthy counts in full, partial by half. Providers count by the share that is online, degraded ones by half. A disabled cache does not count.',
    ),
    components: Type.Object({
      orchestrator: Type.Object({
        status,
        response_time: maybeNumber('Average of the last hour in seconds; null without requests.'),
        uptime: number('Seconds since the responding process started.'),
        last_restart: integer('Start of the youngest process of the platform. Epoch seconds.'),
      }),
      queue_processor: Type.Object({
        status,
        queue_size: integer('Waiting executions.'),
        processing_rate: number('Executions that finished per minute, in the last 15 minutes.'),
        failed_jobs_24h: integer('Executions that failed in the last 24 hours.'),
      }),
      ai_providers: Type.Object({
        status,
        healthy_providers: integer('Providers that are online.'),
        total_providers: integer('Configured providers.'),
        degraded_providers: texts('Configured providers that are not online.'),
      }),
      database: Type.Object({
        status,
        connection_pool: Type.Object({
          total: integer('Open connections of this process.'),
          idle: integer('Idle connections.'),
          in_use: integer('Connections in use.'),
          waiting: integer(
            'Median number of callers that waited for a connection in the last ten seconds; short bursts do not count.',
          ),
        }),
        query_performance: number('Seconds of a query by key, measured now.'),
        replication_lag: maybeNumber('Lag of the slowest replica in seconds; null without replicas.'),
      }),
      cache: Type.Object(
        {
          status,
          hit_rate: maybeNumber(
            'Percent of deterministic calls answered from the cache; null without calls.',
          ),
          memory_usage: maybeNumber('Percent of its size limit; null when the cache is disabled.'),
          memory_bytes: integer('Bytes of cached responses.'),
          eviction_rate: maybeNumber('Percent of cached responses that were evicted; null without any.'),
        },
        { description: 'The response cache of this process, since it started.' },
      ),
    }),
    performance_metrics: Type.Object(
      {
        avg_response_time: maybeNumber('Seconds; null without requests.'),
        throughput: number('Requests a minute.'),
        error_rate: maybeNumber('Percent of requests with a server error (5xx); null without requests.'),
        availability: maybeNumber(
          'Percent of the minutes of the last 24 hours in which a process ran, since the first known minute; null before it.',
        ),
      },
      { description: 'All processes in the last hour, without health checks.' },
    ),
    alerts: Type.Array(
      Type.Object({
        level: Type.Enum(['info', 'warning', 'critical']),
        component: text('The component it is about.'),
        message: text('The problem.'),
        since: integer('Epoch seconds.'),
        impact: text('The impact.'),
      }),
      { description: 'Alerts, the most severe first.' },
    ),
    recommendations: texts('How to resolve the alerts, in their order.'),
    next_maintenance: maybeInteger('Always null: updates need no maintenance window.'),
    timestamp: integer('Epoch seconds.'),
    details: Type.Optional(
      Type.Object(
        {
          processes: Type.Array(
            Type.Object({
              id: text('A random id.'),
              host: text('The machine it runs on.'),
              pid: integer('Its process id.'),
              started_at: integer('Epoch seconds.'),
              seen_at: integer('Epoch seconds.'),
              cpu_usage: number('Percent of one processor.'),
              memory_bytes: integer('Resident memory.'),
              event_loop_delay: number('Average event loop delay in seconds.'),
            }),
          ),
          workers: Type.Array(
            Type.Object({
              id: text('A random id.'),
              name: text('The host and process.'),
              alive: flag('Whether it sent a heartbeat in the last ten seconds.'),
              heartbeat_at: integer('Epoch seconds.'),
            }),
          ),
          providers: Type.Array(
            Type.Object({
              name: text('The name of the provider.'),
              status: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
              response_time: maybeNumber('Seconds of the last probe.'),
              last_error: maybeText('The last error; null without one.'),
              checked_at: integer('Epoch seconds.'),
            }),
          ),
          interfaces: Type.Array(
            Type.Object({
              name: text('The name of the API.'),
              requests: integer('Requests of the last hour.'),
              avg_response_time: maybeNumber('Seconds.'),
            }),
          ),
          thresholds: freeForm('The alert thresholds.'),
        },
        { description: 'Only with `include_details`.' },
      ),
    ),
  },
  { description: 'The health of all components.' },
)

export const HealthQuery = Type.Object(
  {
    include_details: Type.Boolean({
      default: false,
      description: 'Adds `details`: processes, workers, providers, APIs and thresholds.',
    }),
    check_providers: Type.Boolean({
      default: false,
      description: 'Probes every provider now, for at most five seconds, instead of using the last probe.',
    }),
  },
  { additionalProperties: false },
)

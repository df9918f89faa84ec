import { Type } from 'typebox'
import type { Cluster } from '#cluster'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Events, StoredEvent } from '#kernel/events'
import {
  type Access,
  type ApiDefinition,
  checkReadiness,
  type HttpServer,
  plainErrorFormat,
  type ReadinessCheck,
  sendEventStream,
} from '#kernel/http'
import type { Metrics } from '#kernel/telemetry'
import type { RecurringTasks, WorkerDirectory } from '#kernel/work'
import type { Role } from './settings.ts'
import { version } from './version.ts'

/** The API of the platform itself: health, system, events, OpenAPI. Unknown paths get its error format. */
export const platformApi: ApiDefinition = {
  ...plainErrorFormat,
  name: 'platform',
  title: 'Platform',
  version: '1.0.0',
  description:
    'Health, the state of this installation, its event log and the descriptions of its interfaces.',
  prefixes: ['/', '/api/v1/system', '/api/v1/events', '/api/v1/settings'],
}

/** Metrics in Prometheus' text format, of this process or of several. */
export type RenderedMetrics = Pick<Metrics, 'contentType' | 'render'>

/** Serves metrics in Prometheus' text format. */
export function addMetricsRoute(routes: HttpServer, metrics: RenderedMetrics, access: Access): void {
  routes.get(
    '/metrics',
    {
      config: { access, neverShed: true },
      schema: {
        summary: 'Get metrics in Prometheus text format',
        response: {
          200: { description: 'All metrics.', content: { 'text/plain': { schema: Type.String() } } },
        },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  )
}

const time = Type.String({ format: 'date-time' })
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const systemSchema = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')]),
    checks: Type.Record(Type.String(), Type.String()),
    version: Type.String(),
    node_version: Type.String(),
    role: Type.String(),
    started_at: time,
    uptime_seconds: Type.Number(),
    database: Type.Object({
      kind: Type.Union([Type.Literal('embedded'), Type.Literal('server')]),
      version: Type.String(),
      connections: Type.Object({ total: Type.Integer(), idle: Type.Integer(), waiting: Type.Integer() }),
      clock_skew_seconds: Type.Number({
        description:
          'How far the clock of this process is ahead of the database; negative when it is behind.',
      }),
    }),
    workers: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        role: Type.String(),
        started_at: time,
        heartbeat_at: time,
        alive: Type.Boolean(),
      }),
    ),
    tasks: Type.Array(
      Type.Object({
        name: Type.String(),
        interval_seconds: Type.Number(),
        last_started_at: nullable(time),
        last_finished_at: nullable(time),
        last_error: nullable(Type.String()),
        due_at: time,
        running: Type.Boolean(),
      }),
    ),
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String(),
        status: Type.String({ description: '`unknown`, `healthy`, `unhealthy`, `probing` or `draining`.' }),
        models: Type.Array(Type.String()),
        latency_ms: nullable(Type.Number()),
        last_check: nullable(time),
        last_error: nullable(Type.String()),
      }),
      { description: 'Model nodes this process knows; empty when the cluster runs elsewhere.' },
    ),
    interfaces: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        version: Type.String(),
        openapi: Type.String(),
      }),
    ),
  },
  { description: 'What runs here.' },
)

interface SystemRouteOptions {
  readonly database: Database
  readonly workers: WorkerDirectory
  readonly tasks: RecurringTasks
  readonly cluster: Cluster | undefined
  readonly readiness: readonly ReadinessCheck[]
  readonly role: Role
  readonly startedAt: Date
}

/** The state of this installation, for the overview of the console and for scripts. */
export function addSystemRoute(routes: HttpServer, options: SystemRouteOptions): void {
  const { database, workers, tasks, cluster, readiness, role, startedAt } = options
  routes.get(
    '/api/v1/system',
    {
      config: { access: { permission: 'administer llm' } },
      schema: { summary: 'Get system information', response: { 200: systemSchema } },
    },
    async () => {
      const [{ ready, checks }, workerList, taskList] = await Promise.all([
        checkReadiness(readiness),
        workers.list(),
        tasks.list(),
      ])
      return {
        status: ready ? ('ready' as const) : ('degraded' as const),
        checks: { ...checks },
        version,
        node_version: process.versions.node,
        role,
        started_at: startedAt.toISOString(),
        uptime_seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
        database: {
          kind: database.kind,
          version: database.version,
          connections: database.poolUsage(),
          clock_skew_seconds: Math.round(database.clock.skewMs()) / 1000,
        },
        workers: workerList.map((worker) => ({
          id: worker.id,
          name: worker.name,
          role: worker.role,
          started_at: worker.startedAt.toISOString(),
          heartbeat_at: worker.heartbeatAt.toISOString(),
          alive: worker.alive,
        })),
        tasks: taskList.map((task) => ({
          name: task.name,
          interval_seconds: task.intervalMs / 1000,
          last_started_at: task.lastStartedAt?.toISOString() ?? null,
          last_finished_at: task.lastFinishedAt?.toISOString() ?? null,
          last_error: task.lastError,
          due_at: task.dueAt.toISOString(),
          running: task.running,
        })),
        nodes: (cluster?.nodes() ?? []).map((node) => ({
          id: node.id,
          url: node.url,
          status: node.status,
          models: [...node.models],
          latency_ms: node.latency.ewma,
          last_check: node.last_check,
          last_error: node.last_error,
        })),
        interfaces: routes.interfaces.map(({ name, title, version: interfaceVersion }) => ({
          name,
          title,
          version: interfaceVersion,
          openapi: `/openapi/${name}.yaml`,
        })),
      }
    },
  )
}

const eventSchema = Type.Object({
  id: Type.Integer({ description: 'Grows by one with every event, in the order they were committed.' }),
  type: Type.String({ description: 'What happened, such as `identity.signed_in`.' }),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'What it happened to.' }),
  account: Type.Union([Type.String(), Type.Null()], { description: 'The account it concerns.' }),
  data: Type.Object({}, { additionalProperties: true }),
  created_at: Type.String({ format: 'date-time' }),
})

/** The types of the largest group of the console fit in. */
const maxTypes = 100

const typeFilter = Type.Optional(
  Type.String({
    maxLength: 6000,
    description: `Only events of this type, or of up to ${maxTypes} types with commas between them.`,
  }),
)

const access = { permission: 'administer llm' } as const

/** The event log: page by page, and as a stream that resumes after the last event a reader received. */
export function addEventRoutes(routes: HttpServer, events: Events): void {
  routes.get(
    '/api/v1/events',
    {
      config: { access },
      schema: {
        summary: 'Read the event log',
        description: 'The newest page; with `after` what came next, with `before` what came earlier.',
        querystring: Type.Object({
          after: Type.Optional(Type.Integer({ minimum: 0, description: 'The last id already seen.' })),
          before: Type.Optional(
            Type.Integer({ minimum: 1, description: 'An id to look back from; not together with `after`.' }),
          ),
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
          type: typeFilter,
        }),
        response: {
          200: Type.Object(
            {
              data: Type.Array(eventSchema, { description: 'Oldest first.' }),
              total: Type.Integer({ description: 'Events in the log that match.' }),
              last_id: Type.Integer({ description: 'The id of the newest event; 0 before the first.' }),
              truncated: Type.Boolean({ description: 'Whether events after `after` are no longer kept.' }),
            },
            { description: 'A page of events.' },
          ),
        },
      },
    },
    async (request) => {
      const { after, before, limit, type } = request.query
      if (after !== undefined && before !== undefined) throw afterAndBefore()
      const filter = type === undefined ? {} : { types: readTypes(type) }
      const lastId = await events.lastId()
      const { events: page, truncated } =
        after === undefined
          ? { events: await events.readNewest({ ...filter, before, limit }), truncated: false }
          : await events.read({ ...filter, after, limit })
      return { data: page.map(describeEvent), total: await events.count(filter), last_id: lastId, truncated }
    },
  )

  routes.get(
    '/api/v1/events/stream',
    {
      config: { access },
      schema: {
        summary: 'Follow the event log',
        description:
          'Server-sent events. Each carries its id; a reader that reconnects with `Last-Event-ID` misses and repeats nothing.',
        querystring: Type.Object({
          after: Type.Optional(
            Type.Integer({ minimum: 0, description: 'Begin after this id; default: now.' }),
          ),
          type: typeFilter,
        }),
        headers: Type.Object({ 'last-event-id': Type.Optional(Type.Integer({ minimum: 0 })) }),
        response: {
          200: {
            description: 'A stream that ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { after, type } = request.query
      const seen = request.headers['last-event-id'] ?? after
      // Checked before the stream begins: a client would reopen a stream that only ends, again and again.
      if (seen !== undefined) await events.checkCursor(seen)
      const cursor = seen ?? (await events.lastId())
      const types = type === undefined ? undefined : readTypes(type)
      await sendEventStream(request, reply, {
        messages: async function* (signal) {
          for await (const event of events.follow({ after: cursor, types, signal })) {
            yield { id: event.id, event: 'event', data: describeEvent(event) }
          }
        },
      })
    },
  )
}

function readTypes(text: string): readonly string[] {
  const types = text.split(',').map((type) => type.trim())
  if (types.length <= maxTypes) return types
  const message = `has ${types.length} types, and at most ${maxTypes} are allowed`
  throw kernelFailure('invalid_input', {
    message: `type ${message}.`,
    problems: [{ path: 'type', message, code: 'invalid' }],
  })
}

function afterAndBefore() {
  const message = 'cannot be given together with `after`'
  return kernelFailure('invalid_input', {
    message: `before ${message}.`,
    problems: [{ path: 'before', message, code: 'conflict' }],
  })
}

function describeEvent({ id, type, subject, account, data, createdAt }: StoredEvent) {
  return { id, type, subject, account, data, created_at: createdAt.toISOString() }
}

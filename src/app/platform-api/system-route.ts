import { Type } from 'typebox'
import type { Cluster } from '#cluster'
import type { Database } from '#kernel/database'
import { checkReadiness, type HttpServer, type ReadinessCheck } from '#kernel/http'
import type { RecurringTasks, WorkerDirectory } from '#kernel/work'
import type { Role } from '../settings.ts'
import { version } from '../version.ts'

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

export interface SystemRouteOptions {
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
      schema: { summary: 'What runs here', response: { 200: systemSchema } },
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
        database: { kind: database.kind, version: database.version, connections: database.poolUsage() },
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

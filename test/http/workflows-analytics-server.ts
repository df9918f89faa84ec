import { createHistory, engineMigrations } from '#engine'
import { migrate } from '#kernel/database'
import { closeHttpServer, createHttpServer, nobody, registerInterface } from '#kernel/http'
import { createLimiter, limitsMigrations } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { workMigrations } from '#kernel/work'
import { createWorkflowsInterface } from '../../src/workflows/interface.ts'
import { addAnalyticsRoutes } from '../../src/workflows/routes/analytics/routes.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

export interface AnalyticsServer extends AsyncDisposable {
  readonly database: TestDatabase
  /** Asks as somebody who may see analytics, unless told otherwise. Nobody is asked twice by the same caller. */
  get(query: string, permissions?: readonly string[]): Promise<Response>
}

/** The analytics over a database of their own, at a moment that stands still. */
export async function startAnalyticsServer(now: Date): Promise<AnalyticsServer> {
  await using closing = new AsyncDisposableStack()
  const log = createLogger({ level: 'silent', format: 'json' })
  const metrics = createMetrics({ watchProcess: false })
  const database = closing.use(await createTestDatabase({ start: 'empty' }))
  await migrate(database, [workMigrations, limitsMigrations, engineMigrations], log)
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const definition = createWorkflowsInterface(undefined)
  const app = await createHttpServer({
    log,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: definition,
    authenticate: async ({ headers }) => ({
      ...nobody,
      id: String(headers['x-caller']),
      method: 'session',
      permissions: new Set(String(headers['x-permissions']).split(',')),
    }),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  const history = createHistory({ database, findModel: async () => undefined, now: () => now })
  await registerInterface(app, definition, (routes) => addAnalyticsRoutes(routes, { history }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  let callers = 0
  return {
    database,
    get(query, permissions = ['view workflow analytics']) {
      callers += 1
      const headers = { 'x-caller': `caller-${callers}`, 'x-permissions': permissions.join(',') }
      return fetch(`${url}/ai-workflows/api/analytics/flows${query}`, { headers })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

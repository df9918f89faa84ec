import { createEngine } from '#engine'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { anonymousPrincipal, createHttpServer, plainErrorFormat, registerApi } from '#kernel/http'
import { createMetrics, startTracing } from '#kernel/telemetry'
import { createWorkerDirectory } from '#kernel/work'
import { openStreamPresence } from '#outbox'
import { addLiveStreamRoute } from '../../src/orchestra/live-stream/route.ts'
import { quiet } from '../embedded-database.ts'
import { handleRequests } from './handle-requests.ts'

/** The live stream on a server like that of the platform, without the other routes. */
const settings = readSettings(databaseSettings, { DATABASE_URL: process.env['DATABASE_URL'] ?? '' })
const database = await openDatabase({ settings, log: quiet })
const metrics = createMetrics({ watchProcess: false })
const events = createEvents({ database, log: quiet, metrics })
const watch = await openStreamPresence({
  database,
  events,
  log: quiet,
  workers: createWorkerDirectory(database),
  works: true,
})
const engine = await createEngine({
  database,
  log: quiet,
  limitsOf: async () => ({ concurrentWorkflows: 1 }),
  runStep: async () => {
    throw new Error('not used in this benchmark')
  },
  accountBudgetOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
  accountStatusOf: async () => 'permitted',
  findModel: async () => undefined,
  settings: {
    executionConcurrency: 1,
    synchronousConcurrency: 100,
    executionRetentionMs: 86_400_000,
    queueLimit: 1,
  },
})
const everybody = {
  ...anonymousPrincipal,
  id: '00000000-0000-7000-8000-000000000000',
  permissions: new Set(['run workflows']),
}
const definition = {
  ...plainErrorFormat,
  name: 'orchestra',
  title: 'Orchestra',
  version: '1.0.0',
  description: 'A benchmark.',
  prefixes: ['/ai-orchestra/api'],
}
const app = await createHttpServer({
  log: quiet,
  metrics,
  tracing: await startTracing({ endpoint: undefined, serviceName: 'bench', version: '0', log: quiet }),
  fallbackApi: definition,
  authenticate: async () => everybody,
  anonymous: anonymousPrincipal,
  trustedProxies: [],
  // All streams of the benchmark belong to one account.
  maxStreamsPerAccount: 100_000,
  version: '0.0.0',
})
await registerApi(app, definition, (routes) =>
  addLiveStreamRoute(routes, { database, engine, events, watch }),
)
const address = await app.listen({ port: 0, host: '127.0.0.1' })

handleRequests(Number(new URL(address).port), async (data) => {
  await events.append(data.map((it) => ({ type: 'orchestra.agent_performance', data: it })))
})

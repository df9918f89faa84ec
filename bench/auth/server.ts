/** A server of its own process with one answer, behind a door and without one. Says its address and the time it has computed, ends when told to. */
import { createIdentity, identityMigrations, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createEvents, eventsMigrations } from '#kernel/events'
import { closeHttpServer, createHttpServer, registerInterface } from '#kernel/http'
import { createLimiter, limitsMigrations } from '#kernel/limits'
import { createMetrics, startTracing } from '#kernel/telemetry'
import { quiet as log } from '../embedded-database.ts'

const answer = async () => ({
  id: 'a-small-answer',
  object: 'thing',
  created: 1_700_000_000,
  tags: ['one', 'two'],
})

await using closing = new AsyncDisposableStack()
const metrics = createMetrics({ watchProcess: false })
const database = closing.use(
  await openDatabase({ settings: readSettings(databaseSettings, process.env), log }),
)
await migrate(database, [eventsMigrations, limitsMigrations, identityMigrations], log)
const events = closing.use(createEvents({ database, log, metrics }))
const limiter = closing.use(createLimiter({ database, log, metrics }))
const settings = readSettings(identitySettings, process.env)
const identity = closing.use(await createIdentity({ database, events, limiter, log, metrics, settings }))
await identity.seed()

const app = await createHttpServer({
  log,
  metrics,
  tracing: await startTracing({ endpoint: undefined, serviceName: 'bench', version: '0', log }),
  fallbackInterface: identity.interface,
  authenticate: identity.authenticate,
  anonymous: identity.anonymous,
  limiter,
  trustedProxies: [],
  version: '0.0.0',
})
closing.defer(() => closeHttpServer(app, 1000))
await registerInterface(app, identity.interface, (routes) => {
  identity.addRoutes(routes)
  routes.get('/api/v1/open', { config: { access: { open: 'the baseline' } } }, answer)
  routes.get('/api/v1/guarded', { config: { access: { signedIn: true, scope: 'models.read' } } }, answer)
})

const ended = Promise.withResolvers<void>()
process.on('message', (question) => {
  if (question === 'end') return ended.resolve()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system })
})
process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
await ended.promise
process.disconnect?.()

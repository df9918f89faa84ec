/**
 * The gateway in a process of its own, as the platform has it: accounts, limits, budgets, records. Asks the server of
 * OPENAI_BASE_URL, where the model `priced` costs money and `unpriced` nobody knows what. Says its address, and the time it
 * has computed when asked.
 */
import { createIdentity, identityMigrations, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createEvents, eventsMigrations } from '#kernel/events'
import { closeHttpServer, createHttpServer, registerInterface } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter, limitsMigrations } from '#kernel/limits'
import { createMetrics, startTracing } from '#kernel/telemetry'
import { createDayPurse } from '../../src/models/budgets/day-purse.ts'
import { createAnswerCache } from '../../src/models/gateway/answer-cache.ts'
import type { CatalogueEntry } from '../../src/models/gateway/catalogue-entry.ts'
import { createGateway } from '../../src/models/gateway/gateway.ts'
import { gatewaySettings } from '../../src/models/gateway/settings.ts'
import { openAiInterface } from '../../src/models/interface.ts'
import { modelsMigrations } from '../../src/models/migrations.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { openAiSettings } from '../../src/models/providers/openai/settings.ts'
import { addOpenAiRoutes } from '../../src/models/routes/openai/routes.ts'
import { createUsageRecorder } from '../../src/models/usage/usage-recorder.ts'
import { quiet as log } from '../embedded-database.ts'

const prices = { input: 150_000, cachedInput: 75_000, output: 600_000 }

await using closing = new AsyncDisposableStack()
const metrics = createMetrics({ watchProcess: false })
const database = closing.use(
  await openDatabase({ settings: readSettings(databaseSettings, process.env), log }),
)
await migrate(database, [eventsMigrations, limitsMigrations, identityMigrations, modelsMigrations], log)
const events = closing.use(createEvents({ database, log, metrics }))
const limiter = closing.use(createLimiter({ database, log, metrics }))
const identity = closing.use(
  await createIdentity({
    database,
    events,
    limiter,
    log,
    metrics,
    settings: readSettings(identitySettings, process.env),
  }),
)
await identity.seed()
await database.query(`update identity_users set tier = 'custom'`)

const settings = readSettings(gatewaySettings, process.env)
const provider = closing.use(
  createOpenAiProvider({
    settings: readSettings(openAiSettings, process.env),
    limits: { firstPartMs: 60_000, stallMs: 60_000 },
    readKey: async () => undefined,
  }),
)
const entries: CatalogueEntry[] = (await provider.list()).map((model) => ({
  provider: 'openai',
  model,
  price: model.id === 'priced' ? { source: 'table', version: '1', prices } : { source: 'unpriced' },
}))
const catalogue = { find: async () => entries }
const usage = closing.use(createUsageRecorder({ database }))
const purse = closing.use(createDayPurse({ database, usage, log }))
const gateway = createGateway({
  providers: [provider],
  catalogue,
  cache: createAnswerCache(settings),
  usage,
  log,
  metrics,
  settings,
})

const app = await createHttpServer({
  log,
  metrics,
  tracing: await startTracing({ endpoint: undefined, serviceName: 'bench', version: '0', log }),
  fallbackInterface: openAiInterface,
  authenticate: identity.authenticate,
  anonymous: identity.anonymous,
  limiter,
  trustedProxies: [],
  version: '0.0.0',
})
closing.defer(() => closeHttpServer(app, 1000))
await registerInterface(app, openAiInterface, (routes) =>
  addOpenAiRoutes(routes, {
    gateway,
    gatewayId: 'bench',
    sessionHeader: 'x-session-id',
    directory: catalogue,
    askForJson: () => Promise.reject(new Error('nobody asks for JSON here')),
    purseOf: ({ id, tier }) =>
      purse.of({
        accountId: id ?? '',
        microDollarsPerDay: identity.tiers.limitsOfTier(tier).microDollarsPerDay,
      }),
    idempotency: closing.use(createIdempotency({ database, log })),
    ratePolicy: identity.tiers.requestsPerHour,
    rules: { bodyLimitBytes: 1_048_576, heartbeatMs: 15_000, mostIdleMs: 60_000 },
  }),
)

const ended = Promise.withResolvers<void>()
process.on('message', (question) => {
  if (question === 'end') return ended.resolve()
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicroseconds: user + system })
})
process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
await ended.promise
process.disconnect?.()

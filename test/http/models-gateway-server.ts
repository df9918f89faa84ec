import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createIdentity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { migrate } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { closeHttpServer, createHttpServer, type HttpServer, registerInterface } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { migrationSets } from '../../src/app/migrations.ts'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'
import { createDayPurse } from '../../src/models/budgets/day-purse.ts'
import { createAnswerCache } from '../../src/models/gateway/answer-cache.ts'
import { createGateway } from '../../src/models/gateway/gateway.ts'
import { gatewaySettings } from '../../src/models/gateway/settings.ts'
import { gatewayInterface, modelsInterface, openAiInterface } from '../../src/models/interface.ts'
import { modelsMigrations } from '../../src/models/migrations.ts'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import type { ModelProvider } from '../../src/models/providers/provider.ts'
import { addOpenAiRoutes } from '../../src/models/routes/openai/routes.ts'
import { addRuntimeRoutes } from '../../src/models/routes/runtime/routes.ts'
import { addUsageRoutes } from '../../src/models/routes/usage/routes.ts'
import { createAskForJson } from '../../src/models/structured/ask-for-json.ts'
import { createSchemaChecker } from '../../src/models/structured/schema-checker.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import { createUsageRecorder } from '../../src/models/usage/usage-recorder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { addAccount } from './identity-server.ts'

export interface GatewayServerOptions {
  readonly providers: readonly ModelProvider[]
  /** What models cost; nobody knows of those that are not here. */
  readonly prices?: Readonly<Record<string, ModelPrice>>
  readonly environment?: Readonly<Record<string, string>>
  readonly bodyLimitBytes?: number
  readonly heartbeatMs?: number
  /** What the providers say that they are. */
  readonly gatewayId?: string
  readonly mostIdleMs?: number
}

interface PostOptions {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface NewKey {
  readonly key: string
  readonly accountId: string
}

export interface GatewayServer extends AsyncDisposable {
  readonly url: string
  readonly app: HttpServer
  readonly database: TestDatabase
  readonly gatewayId: string
  /** What was logged, one JSON text each. */
  readonly logged: readonly string[]
  /** A key of an account without roles, with which requests are sent unless they say otherwise. */
  readonly key: string
  readonly accountId: string
  /** An account of its own with a key. */
  addKey(options?: {
    readonly scopes?: readonly string[]
    readonly roles?: readonly string[]
    readonly tier?: string
  }): Promise<NewKey>
  /** Sends JSON, unless the body is a text already. */
  post(path: string, body: unknown, options?: PostOptions): Promise<Response>
  get(path: string, options?: PostOptions): Promise<Response>
  close(graceMs?: number): Promise<void>
}

/** The gateway with everything it stands on: accounts, budgets, records, and the providers a test brings along. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  await using opening = new AsyncDisposableStack()
  const { providers, prices = {}, environment = {} } = options
  const {
    bodyLimitBytes = 8_388_608,
    heartbeatMs = 15_000,
    mostIdleMs = 60_000,
    gatewayId = randomUUID(),
  } = options
  const logged: string[] = []
  const log = createLogger({
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void logged.push(line) },
  })
  const database = opening.use(await createTestDatabase())
  await migrate(database, [...new Set([...migrationSets, modelsMigrations])], log)
  const metrics = createMetrics({ watchProcess: false })
  const events = opening.use(createEvents({ database, log, metrics }))
  const limiter = opening.use(createLimiter({ database, log, metrics }))
  const identity = opening.use(
    await createIdentity({
      database,
      events,
      limiter,
      log,
      metrics,
      settings: readSettings(identitySettings, environment),
    }),
  )
  const settings = readSettings(gatewaySettings, environment)
  const usage = opening.use(createUsageRecorder({ database }))
  const dayPurse = opening.use(createDayPurse({ database, usage, log }))
  const catalogue = {
    find: async () => {
      const lists = await Promise.all(
        providers.map(async (provider) =>
          (await provider.list()).map((model) => ({
            provider: provider.name,
            model,
            price: prices[model.id] ?? { source: 'unpriced' as const },
          })),
        ),
      )
      return lists.flat()
    },
  }
  const cache = createAnswerCache(settings)
  const gateway = createGateway({ providers, catalogue, cache, usage, log, metrics, settings })
  const checker = opening.use(createSchemaChecker())
  const limitOf = (tier: string) => identity.tiers.limitsOfTier(tier).microDollarsPerDay

  const app = await createHttpServer({
    log,
    metrics,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: platformInterface,
    authenticate: identity.authenticate,
    anonymous: identity.anonymous,
    limiter,
    trustedProxies: ['127.0.0.1'],
    version: '0.0.0',
  })
  const routeOptions = {
    gateway,
    gatewayId,
    sessionHeader: 'x-session-id',
    askForJson: createAskForJson({ gateway, checker }),
    purseOf: ({ id, tier }: { id: string | null; tier: string }) =>
      dayPurse.of({ accountId: id ?? '', microDollarsPerDay: limitOf(tier) }),
    idempotency: opening.use(createIdempotency({ database, log })),
    ratePolicy: identity.tiers.requestsPerHour,
    rules: { bodyLimitBytes, heartbeatMs, mostIdleMs },
  }
  await registerInterface(app, identity.interface, identity.addRoutes)
  await registerInterface(app, gatewayInterface, (routes) => addRuntimeRoutes(routes, routeOptions))
  await registerInterface(app, openAiInterface, (routes) =>
    addOpenAiRoutes(routes, { ...routeOptions, directory: catalogue }),
  )
  await registerInterface(app, modelsInterface, (routes) =>
    addUsageRoutes(routes, {
      usage: createUsage({ database }),
      budgetOf: async ({ id, tier }) => ({ limit: limitOf(tier), ...(await dayPurse.spentToday(id ?? '')) }),
    }),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  let closing: Promise<void> | undefined
  const close = (graceMs = 1000) => (closing ??= closeHttpServer(app, graceMs))
  opening.defer(() => close())
  const opened = opening.move()
  const addKey = (wanted = {}) => addKeyTo(database, wanted)
  const { key, accountId } = await addKey()

  const send = (method: string, path: string, given: PostOptions, body?: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${given.key ?? key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(body !== undefined && { body }),
      ...(given.signal !== undefined && { signal: given.signal }),
    })
  return {
    url,
    app,
    database,
    gatewayId,
    logged,
    key,
    accountId,
    addKey,
    post: (path, body, given = {}) =>
      send('POST', path, given, typeof body === 'string' ? body : JSON.stringify(body)),
    get: (path, given = {}) => send('GET', path, given),
    close,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

let accounts = 0

async function addKeyTo(
  database: TestDatabase,
  {
    scopes,
    roles = [],
    tier = 'custom',
  }: { scopes?: readonly string[]; roles?: readonly string[]; tier?: string },
): Promise<NewKey> {
  accounts += 1
  const accountId = await addAccount(database, {
    username: `player${accounts}`,
    password: 'correct horse battery',
    roles,
  })
  await database.query('update identity_users set tier = $2 where id = $1', [accountId, tier])
  const key = `tk_${randomBytes(20).toString('hex')}`
  await database.query(
    `
      insert into identity_api_keys (user_id, name, prefix, key_hash, scopes)
      values ($1, 'a test', $2, $3, $4)
    `,
    [accountId, key.slice(0, 8), createHash('sha256').update(key).digest(), scopes ?? null],
  )
  return { key, accountId }
}

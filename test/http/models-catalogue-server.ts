import { readSettings } from '#kernel/config'
import { migrate } from '#kernel/database'
import { createEncryption, encryptionSettings } from '#kernel/encryption'
import { createEvents, type Events, eventsMigrations, type StoredEvent } from '#kernel/events'
import { anonymousPrincipal, closeHttpServer, createHttpServer, registerApi } from '#kernel/http'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { platformApi } from '../../src/app/platform-api.ts'
import { modelsApi } from '../../src/models/api.ts'
import { type Catalogue, createCatalogue } from '../../src/models/catalogue/catalogue.ts'
import { createProviderStates } from '../../src/models/catalogue/provider-states.ts'
import { modelsMigrations } from '../../src/models/migrations.ts'
import { openPriceOverrides } from '../../src/models/prices/price-overrides.ts'
import { createPrices, type Prices } from '../../src/models/prices/prices.ts'
import { openProviderKeys, type ProviderKeys } from '../../src/models/provider-keys/provider-keys.ts'
import { environmentKeys } from '../../src/models/providers/environment-providers.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import type {
  ModelProvider,
  ProvidedModel,
  ProviderName,
  ProviderProbe,
} from '../../src/models/providers/provider.ts'
import { addPriceRoutes } from '../../src/models/routes/prices.ts'
import { createDescribeProviders } from '../../src/models/routes/provider-response.ts'
import { addModelRoutes, addProviderRoutes } from '../../src/models/routes/providers.ts'
import { modelsSettings } from '../../src/models/settings.ts'
import { openStoredProviders } from '../../src/models/stored-providers/stored-providers.ts'
import { loopDelayLimitMs } from '../support/loop-delay-limit.ts'
import { registryOf } from '../support/provider-registry.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const silent = createLogger({ level: 'silent', format: 'json' })

/** Only the tables needed here. */
export async function createCatalogueDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [eventsMigrations, modelsMigrations], silent)
  return database
}

/** A provider with scripted models and state. */
interface SaidProvider extends ModelProvider {
  says(...models: readonly (Partial<ProvidedModel> & { readonly id: string })[]): void
  is(probe: ProviderProbe): void
  /** Lists wait for this. */
  waitsFor(event: () => Promise<unknown>): void
  readonly probes: () => number
}

const nothingToWaitFor = (): Promise<unknown> => Promise.resolve()

const refuse = () => {
  throw new Error('this provider only lists models')
}

function createSaidProvider(name: ProviderName): SaidProvider {
  let models: readonly ProvidedModel[] = []
  let state: ProviderProbe = { state: 'online', problem: null, responseMs: 3 }
  let event = nothingToWaitFor
  let probes = 0
  return {
    name,
    says(...said) {
      models = said.map((model) => ({
        ownedBy: name,
        created: null,
        available: true,
        loaded: false,
        nodes: [],
        size: null,
        capabilities: [],
        contextLength: null,
        maxOutputTokens: null,
        ...model,
      }))
    },
    is(probe) {
      state = probe
    },
    waitsFor(said) {
      event = said
    },
    probes: () => probes,
    async list() {
      const listed = models
      await event()
      return listed
    },
    async probe() {
      probes += 1
      return state
    },
    stream: refuse,
    embed: refuse,
  }
}

export interface CatalogueServer extends AsyncDisposable {
  readonly url: string
  readonly catalogue: Catalogue
  readonly keys: ProviderKeys
  readonly prices: Prices
  readonly events: Events
  readonly providers: Readonly<Record<'ollama' | 'openai' | 'anthropic' | 'builtin', SaidProvider>>
  /** Log lines of level `info` and above. */
  readonly logged: readonly string[]
  ask(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<Response>
  eventsOf(type: string): Promise<readonly StoredEvent[]>
}

export interface CatalogueServerOptions {
  readonly database: TestDatabase
  readonly environment?: Readonly<Record<string, string>>
  readonly maxWaitMs?: number
  /** Whether the caller may administer models. */
  readonly administers?: boolean
  readonly baseUrls?: Partial<Record<ProviderName, string>>
  readonly openaiPriceList?: string
  readonly freshMs?: number
  /** Calls the OpenAI-compatible server at this URL instead of the scripted one. */
  readonly openaiAt?: string
}

/** Catalogue, prices and keys on a real server and a real database. */
export async function startCatalogueServer(options: CatalogueServerOptions): Promise<CatalogueServer> {
  const { database, environment = {}, administers = true, maxWaitMs = 20_000, freshMs, openaiAt } = options
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(line) }
  const log = createLogger({ level: 'info', format: 'json', destination })
  await using closing = new AsyncDisposableStack()
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log, metrics }))
  const settings = readSettings(encryptionSettings, environment)
  const encryption = createEncryption({ settings, database, dataDir: '/nowhere' })
  const providers = {
    ollama: createSaidProvider('ollama'),
    openai: createSaidProvider('openai'),
    anthropic: createSaidProvider('anthropic'),
    builtin: createSaidProvider('builtin'),
  }
  const baseUrls = {
    ollama: 'http://localhost:3001',
    openai: 'https://api.openai.com/v1',
    anthropic: 'https://api.anthropic.com/v1',
    builtin: null,
    ...options.baseUrls,
    ...(openaiAt !== undefined && { openai: openaiAt }),
  }
  const keys = closing.use(
    await openProviderKeys({
      database,
      encryption,
      events,
      environment: environmentKeys(readSettings(modelsSettings, environment)),
      log,
    }),
  )
  const overrides = closing.use(await openPriceOverrides({ database, events, log }))
  const all: ModelProvider[] = Object.values(providers)
  if (openaiAt !== undefined) {
    const real = createOpenAiProvider({
      settings: { baseUrl: openaiAt, models: undefined },
      limits: { firstPartMs: 10_000, stallMs: 10_000 },
      readKey: () => keys.read('openai'),
    })
    all.splice(all.indexOf(providers.openai), 1, closing.use(real))
  }
  const registry = registryOf(all, {
    ollama: { baseUrl: baseUrls.ollama },
    openai: { baseUrl: baseUrls.openai, priceList: options.openaiPriceList },
    anthropic: { baseUrl: baseUrls.anthropic },
  })
  const prices = createPrices({ overrides, providers: registry, log })
  const catalogue = createCatalogue({ providers: registry, prices, log, maxWaitMs })
  const states = createProviderStates({ providers: registry, ...(freshMs !== undefined && { freshMs }) })
  const stored = closing.use(await openStoredProviders({ database, encryption, events, keys, log }))
  const describe = createDescribeProviders({ catalogue, states, keys, providers: registry, stored })
  const app = await createHttpServer({
    loopDelayLimitMs,
    log,
    metrics,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log: silent }),
    fallbackApi: platformApi,
    authenticate: async () => ({
      ...anonymousPrincipal,
      id: 'nadia',
      username: 'nadia',
      method: 'session',
      permissions: new Set(administers ? ['administer llm'] : []),
    }),
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  await registerApi(app, modelsApi, (routes) => {
    addModelRoutes(routes, { catalogue })
    addPriceRoutes(routes, { overrides, prices, providers: registry })
    addProviderRoutes(routes, { states, keys, providers: registry, stored, describe })
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  return {
    url,
    catalogue,
    keys,
    prices,
    events,
    providers,
    logged,
    ask: (path, { method = 'GET', body } = {}) =>
      fetch(`${url}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      }),
    async eventsOf(type) {
      return (await events.read({ after: 0, limit: 100, types: [type] })).events
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

import { randomUUID } from 'node:crypto'
import type { Cluster, MeterRequest } from '#cluster'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { createKeyRates, type HttpServer, type Principal, registerApi } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { RetainedTable } from '#kernel/partitions'
import { disabledTracing, type Logger, type Metrics, type Tracing } from '#kernel/telemetry'
import { gatewayApi, messagesApi, modelsApi, ollamaApi, openAiApi } from './api.ts'
import type { Settlement } from './budgets/budget.ts'
import { type Budgets, createBudgets } from './budgets/budgets.ts'
import { keyBudgetOf, type Payer } from './budgets/scopes.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createProviderDirectory, type ProviderDirectory } from './catalogue/provider-directory.ts'
import { createProviderHealthStore } from './catalogue/provider-health.ts'
import { createDescribeProvider } from './catalogue/provider-settings.ts'
import { createProviderStates } from './catalogue/provider-states.ts'
import { viewLocalCluster } from './cluster/cluster-overview.ts'
import { createRequestMeter } from './cluster/meter-requests.ts'
import { viewRemoteCluster } from './cluster/remote-cluster.ts'
import { createActiveCalls } from './gateway/active-calls.ts'
import { type BuiltinRole, findBuiltinRole } from './gateway/builtin-role.ts'
import { findCandidates } from './gateway/candidates.ts'
import type { CatalogueEntry, CatalogueSource } from './gateway/catalogue-entry.ts'
import type { Gateway } from './gateway/contract.ts'
import { createGateway } from './gateway/gateway.ts'
import { createResponseCache, type ResponseCacheStats } from './gateway/response-cache.ts'
import { createAdmission } from './limits/admission.ts'
import { openModelLimits } from './limits/model-limits.ts'
import { createModelRates } from './limits/model-rates.ts'
import { createCallPartitions, createModelsTasks, type ModelsTask } from './maintenance-tasks.ts'
import { openPriceOverrides } from './prices/price-overrides.ts'
import { createPrices } from './prices/prices.ts'
import { openProviderKeys } from './provider-keys/provider-keys.ts'
import { createEnvironmentProviders, environmentKeys } from './providers/environment-providers.ts'
import type { ModelProvider } from './providers/provider.ts'
import { createProviderOfKind } from './providers/provider-kinds.ts'
import { defaultModelsOf } from './providers/registry.ts'
import { createTokenizer } from './providers/tokenizer.ts'
import { createContentRecorder } from './recording/content-recorder.ts'
import { allowOrigins } from './routes/cors.ts'
import { addMessagesRoutes } from './routes/messages/routes.ts'
import { addModelLimitRoutes } from './routes/model-limits.ts'
import { addModelRouteRoutes } from './routes/model-routes.ts'
import { addOpenAiRoutes } from './routes/openai/routes.ts'
import { addResponsesRoutes } from './routes/openai-responses/routes.ts'
import { addPriceRoutes } from './routes/prices.ts'
import { createDescribeProviders } from './routes/provider-response.ts'
import { addModelRoutes, addProviderRoutes } from './routes/providers.ts'
import { createRunningBodies, limitBodies } from './routes/requests/limit-bodies.ts'
import {
  type KeyRateHeaders,
  limitKeys,
  messagesRateHeaders,
  openAiRateHeaders,
} from './routes/requests/limit-keys.ts'
import { addOllamaRoutes } from './routes/runtime/ollama-routes.ts'
import { addRuntimeRoutes } from './routes/runtime/routes.ts'
import { addStoredProviderRoutes } from './routes/stored-providers.ts'
import { addUsageRoutes } from './routes/usage/routes.ts'
import { orderWithoutChance } from './routing/order-targets.ts'
import { createResponseTimes } from './routing/response-times.ts'
import { openModelRoutes } from './routing/routes.ts'
import type { ModelsSettings } from './settings.ts'
import { createLiveRegistry } from './stored-providers/live-registry.ts'
import { openStoredProviders } from './stored-providers/stored-providers.ts'
import { createStoredResponses } from './stored-responses/stored-responses.ts'
import { createSchemaChecker, type SchemaChecker } from './structured/schema-checker.ts'
import { createGenerateJson, type GenerateJson } from './structured/structured-output.ts'
import { createUsage, type Usage } from './usage/usage.ts'
import { createUsageRecorder } from './usage/usage-recorder.ts'

export interface ModelsOptions {
  readonly database: Database
  readonly events: Events
  readonly encryption: Encryption
  readonly tiers: Identity['tiers']
  /** The API keys of an account, for their budgets. Default: none. */
  readonly apiKeysOf?: Identity['apiKeysOf']
  /** Counts the requests of API keys with limits. */
  readonly limiter: Pick<Limiter, 'take' | 'amounts'>
  /** The cluster of this process; absent when the service runs elsewhere. */
  readonly cluster: Cluster | undefined
  /** The address and the API key of the cluster service. */
  readonly clusterService: { readonly url: string; readonly apiKey: string | undefined }
  /** The header with the session id for the cluster, in lower case. */
  readonly sessionHeader?: string
  readonly settings: ModelsSettings
  readonly log: Logger
  readonly metrics: Metrics
  /** Default: no traces. */
  readonly tracing?: Tracing
  /** The timeout of a request to the cluster. */
  readonly timeoutMs?: number
  /** How long a response of a remote cluster is cached. */
  readonly freshMs?: number
  /** Replaces the providers. They are not closed. */
  readonly providers?: readonly ModelProvider[]
  /** Names this gateway to others, so that calls do not go round in circles. */
  readonly gatewayId?: string
  /** Time between two checks that the reader of a stream is still connected and permitted. */
  readonly heartbeatMs?: number
}

/** The models module: gateway, catalogue, budgets and usage. */
export interface Models extends AsyncDisposable {
  /** Registers the routes of the module. */
  readonly register: (app: HttpServer, idempotency: Idempotency) => Promise<void>
  /** Maintenance tasks that one replica at a time runs. */
  readonly tasks: readonly ModelsTask[]
  /** The table whose rows are dropped with their partitions. */
  readonly partitions: RetainedTable
  /** The only way to call a model. */
  readonly gateway: Gateway
  readonly askForJson: GenerateJson
  /** The budget of an account, and of the API key that it uses. */
  readonly accountBudgetOf: Budgets['of']
  /** The amounts that an account has spent today and has reserved for running calls. */
  readonly spentToday: Budgets['spentToday']
  /** The same of several accounts, in the order of their ids. */
  readonly spentTodayBy: Budgets['spentTodayBy']
  /** The amounts that an API key has spent and has reserved for running calls. */
  readonly spentByKey: Budgets['spentByKey']
  /** Settles a reservation that was not made for a call. */
  readonly settle: (settlement: Settlement) => Promise<void>
  /** Validates JSON against schemas of users, in a worker thread. */
  readonly schemas: Pick<SchemaChecker, 'requireUsable' | 'findProblems'>
  /** All models with their prices. */
  readonly catalogue: CatalogueSource
  /** The providers with their health and settings. */
  readonly providers: ProviderDirectory
  /** Usage and latency of models. */
  readonly usage: Pick<Usage, 'totals' | 'series' | 'speeds' | 'namesSince'>
  /** Charges requests to priced models that accounts send to the port of the cluster. */
  readonly meterRequest: MeterRequest
  /** Statistics of the response cache of this process. */
  readonly responseCache: () => ResponseCacheStats
  /** The names of the routes, which calls may use in place of a model. Throws when the database cannot be read. */
  readonly routeNames: () => Promise<ReadonlySet<string>>
  /** The model that a call with this name would use, `auto` and routes included; undefined when there is none. */
  readonly findModel: (
    name: string,
    options?: { readonly preferred?: readonly string[] | undefined },
  ) => Promise<CatalogueEntry | undefined>
  /** What the built-in provider is for a call that names no model. Throws when the database cannot be read. */
  readonly builtinRole: () => Promise<BuiltinRole>
}

/** Changes of the cluster and of model lists reach the calls of a busy gateway after this time. */
const maxCatalogueAgeMs = 20

/** Creates the models module. Throws when the database cannot be read. Dispose of the result to close its connections. */
export async function createModels(options: ModelsOptions): Promise<Models> {
  const {
    database,
    events,
    encryption,
    tiers,
    apiKeysOf = async () => [],
    settings,
    log,
    metrics,
    timeoutMs = 2000,
    freshMs = 2000,
    gatewayId = randomUUID(),
    heartbeatMs = 15_000,
    sessionHeader = 'x-session-id',
    tracing = disabledTracing(),
  } = options
  await using closing = new AsyncDisposableStack()
  const usageRecorder = closing.use(createUsageRecorder({ database }))
  const budgets = closing.use(
    createBudgets({ database, usage: usageRecorder, log, waitMs: settings.budgetWaitMs }),
  )
  const checker = closing.use(createSchemaChecker())
  const tokenizer = closing.use(createTokenizer({ log }))
  let changeCount = 0
  const onChange = () => {
    changeCount += 1
  }
  const overrides = closing.use(await openPriceOverrides({ database, events, log, onChange }))
  const keys = closing.use(
    await openProviderKeys({
      database,
      encryption,
      events,
      environment: environmentKeys(settings),
      log,
      onChange,
    }),
  )
  const view = closing.use(
    options.cluster === undefined
      ? viewRemoteCluster({ ...options.clusterService, log, timeoutMs, freshMs })
      : viewLocalCluster(options.cluster, { maxWaitMs: timeoutMs }),
  )
  const environmentProviders = closing.use(
    createEnvironmentProviders({
      settings,
      view,
      cluster: options.clusterService,
      gatewayId,
      freshMs,
      sessionHeader,
      checker,
      readKey: (name) => keys.read(name),
      replaced: options.providers,
    }),
  )
  const stored = closing.use(await openStoredProviders({ database, encryption, events, keys, log, onChange }))
  const providers = closing.use(
    createLiveRegistry({
      environment: environmentProviders.list,
      stored,
      create: (row) =>
        createProviderOfKind(row.kind, {
          name: row.name,
          settings: row,
          revision: row.revision,
          limits: settings,
          readKey: () => keys.read(row.name),
        }),
      log,
    }),
  )
  const prices = createPrices({ overrides, providers, log })
  const catalogue = createCatalogue({
    providers,
    prices,
    log,
    // Longer than the timeout of the request to the cluster, which is part of the list.
    maxWaitMs: timeoutMs + 500,
    keepMs: Math.min(maxCatalogueAgeMs, freshMs),
    changeCount: () => changeCount,
  })
  const states = createProviderStates({ providers })
  const cache = createResponseCache(settings)
  const calls = createActiveCalls()
  const keyRates = createKeyRates(options.limiter)
  const modelLimits = closing.use(await openModelLimits({ database, events, log }))
  const admission = closing.use(
    createAdmission({
      limits: modelLimits,
      rates: createModelRates(options.limiter),
      waitMs: settings.limitWaitMs,
      metrics,
    }),
  )
  const modelRoutes = closing.use(await openModelRoutes({ database, events, log }))
  const responseTimes = createResponseTimes()
  const recorder = closing.use(createContentRecorder({ database, settings, log, metrics }))
  const gateway = createGateway({
    providers,
    catalogue,
    cache,
    usage: usageRecorder,
    log,
    metrics,
    settings,
    calls,
    admission,
    tokenizer,
    countTokens: (keyId, tokens) => keyRates.countTokens(keyId, tokens),
    tracing,
    recorder,
    routes: modelRoutes,
    responseTimes,
  })
  const directory = createProviderDirectory({
    providers,
    healthStore: createProviderHealthStore({ database, events, providers, catalogue, states }),
    calls,
    describe: createDescribeProvider(keys),
  })
  const describe = createDescribeProviders({ catalogue, states, keys, providers, stored })
  const usage = createUsage({ database })
  const storedResponses = createStoredResponses({ database, retentionMs: settings.responseRetentionMs })

  const limitOf = ({ tier }: Principal): number => tiers.limitsOfTier(tier).microDollarsPerDay
  const payerOf = (principal: Principal): Payer => ({
    accountId: principal.id ?? '',
    microDollarsPerDay: limitOf(principal),
    key: keyBudgetOf(principal),
  })
  const askForJson = createGenerateJson({ gateway, checker })
  const routeOptions = {
    gateway,
    askForJson,
    accountBudgetOf: (principal: Principal) => budgets.of(payerOf(principal)),
    gatewayId,
    sessionHeader,
    ratePolicy: tiers.requestsPerHour,
    rules: { heartbeatMs, maxIdleMs: settings.maxIdleMs, bodyLimitBytes: settings.bodyLimitBytes },
    directory: { find: () => catalogue.find(), routes: () => modelRoutes.read() },
    runtime: environmentProviders.list.find(({ kind }) => kind === 'cluster')?.provider.runtime,
  }
  const findModel: Models['findModel'] = async (model, { preferred } = {}) => {
    const [entries, known, routes] = await Promise.all([
      catalogue.find(),
      providers.read(),
      modelRoutes.read(),
    ])
    try {
      const requirements = { capability: 'completion', runtimeFields: [] } as const
      const defaults = { defaultModel: settings.defaultModel, ofProviders: defaultModelsOf(known) }
      const query = { model, fallback: 'none', requirements, preferred } as const
      const order = orderWithoutChance(responseTimes)
      return findCandidates(query, entries, defaults, { routes, order }).entries[0]
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }
  const builtinRole = () =>
    findBuiltinRole({ providers, catalogue, routes: modelRoutes, defaultModel: settings.defaultModel })
  const opened = closing.move()
  return {
    async register(app, idempotency) {
      const callOptions = { ...routeOptions, idempotency }
      const bodies = createRunningBodies(settings)
      const limitCalls = (routes: HttpServer, headersOf: KeyRateHeaders) => {
        limitBodies(routes, bodies, settings)
        limitKeys(routes, keyRates, headersOf)
      }
      await registerApi(app, modelsApi, (routes) => {
        addModelRoutes(routes, { catalogue })
        addUsageRoutes(routes, {
          usage,
          budgetOf: async (principal) => ({
            limit: limitOf(principal),
            ...(await budgets.spentToday(principal.id ?? '')),
          }),
          keysOf: async (accountId) =>
            (await apiKeysOf(accountId)).map(({ id, name, limits }) => ({ ...limits, id, name })),
          spentByKeys: (keyIds) => budgets.spentByKeys(keyIds),
        })
        addProviderRoutes(routes, { states, keys, providers, stored, describe })
        addStoredProviderRoutes(routes, {
          providers,
          stored,
          describe,
          keys,
          limits: settings,
          catalogue,
          findAuto: () => findModel('auto'),
          builtinRole,
        })
        addPriceRoutes(routes, { overrides, prices, providers })
        addModelRouteRoutes(routes, { modelRoutes, catalogue, responseTimes })
        addModelLimitRoutes(routes, { limits: modelLimits, providers })
      })
      await registerApi(app, gatewayApi, (routes) => {
        allowOrigins(routes, settings.corsOrigins)
        addRuntimeRoutes(routes, callOptions)
        limitCalls(routes, openAiRateHeaders)
      })
      await registerApi(app, openAiApi, (routes) => {
        allowOrigins(routes, settings.corsOrigins)
        addOpenAiRoutes(routes, callOptions)
        addResponsesRoutes(routes, { ...callOptions, storedResponses })
        limitCalls(routes, openAiRateHeaders)
      })
      await registerApi(app, messagesApi, (routes) => {
        allowOrigins(routes, settings.corsOrigins)
        addMessagesRoutes(routes, { ...callOptions, findModel, providers, tokenizer })
        limitCalls(routes, messagesRateHeaders)
      })
      await registerApi(app, ollamaApi, (routes) => {
        allowOrigins(routes, settings.corsOrigins)
        addOllamaRoutes(routes, callOptions)
        limitCalls(routes, openAiRateHeaders)
      })
    },
    tasks: createModelsTasks({ database, log, settings }),
    partitions: createCallPartitions(settings),
    gateway,
    askForJson,
    accountBudgetOf: (payer) => budgets.of(payer),
    spentToday: (accountId) => budgets.spentToday(accountId),
    spentTodayBy: (accountIds) => budgets.spentTodayBy(accountIds),
    spentByKey: (keyId) => budgets.spentByKey(keyId),
    settle: (settlement) => usageRecorder.record({ settlement }),
    schemas: checker,
    catalogue,
    providers: directory,
    usage,
    meterRequest: createRequestMeter({
      overrides,
      modelLimits,
      admission,
      accountBudgetOf: routeOptions.accountBudgetOf,
      callAccounting: gateway.callAccounting,
      tokenizer,
      limits: settings,
    }),
    responseCache: () => cache.stats(),
    findModel,
    builtinRole,
    routeNames: async () => new Set((await modelRoutes.read()).keys()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

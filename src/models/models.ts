import { randomUUID } from 'node:crypto'
import type { Cluster } from '#cluster'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { type HttpServer, type Principal, registerInterface } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import type { Sealing } from '#kernel/sealing'
import type { Logger, Metrics } from '#kernel/telemetry'
import { createDayPurse, type DayPurse } from './budgets/day-purse.ts'
import type { Settlement } from './budgets/purse.ts'
import { createBuiltinProvider } from './builtin/builtin-provider.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createProviderDirectory, type ProviderDirectory } from './catalogue/provider-directory.ts'
import { createDescribeProvider } from './catalogue/provider-settings.ts'
import { createProviderStates } from './catalogue/provider-states.ts'
import { createStandings } from './catalogue/standings.ts'
import { createModelsTasks, type ModelsTask } from './clean-up.ts'
import { viewOwnCluster } from './cluster/own-cluster.ts'
import { viewRemoteCluster } from './cluster/remote-cluster.ts'
import { type AnswerCacheFigures, createAnswerCache } from './gateway/answer-cache.ts'
import { createCallsUnderWay } from './gateway/calls-under-way.ts'
import { findCandidates } from './gateway/candidates.ts'
import type { CatalogueEntry, CatalogueSource } from './gateway/catalogue-entry.ts'
import type { Gateway } from './gateway/contract.ts'
import { createGateway } from './gateway/gateway.ts'
import { gatewayInterface, modelsInterface, openAiInterface } from './interface.ts'
import { openPriceOverrides } from './prices/price-overrides.ts'
import { createPrices } from './prices/prices.ts'
import { openProviderKeys } from './provider-keys/provider-keys.ts'
import { createAnthropicProvider } from './providers/anthropic/anthropic-provider.ts'
import { createOllamaProvider } from './providers/ollama/ollama-provider.ts'
import { createOpenAiProvider } from './providers/openai/openai-provider.ts'
import type { ModelProvider } from './providers/provider.ts'
import { addModelRoutes } from './routes/models.ts'
import { addOpenAiRoutes } from './routes/openai/routes.ts'
import { addPriceRoutes } from './routes/prices.ts'
import { addProviderRoutes } from './routes/providers.ts'
import { addRuntimeRoutes } from './routes/runtime/routes.ts'
import { addUsageRoutes } from './routes/usage/routes.ts'
import type { ModelsSettings } from './settings.ts'
import { type AskForJson, createAskForJson } from './structured/ask-for-json.ts'
import { createSchemaChecker, type SchemaChecker } from './structured/schema-checker.ts'
import { createUsage, type Usage } from './usage/usage.ts'
import { createUsageRecorder } from './usage/usage-recorder.ts'

export interface ModelsOptions {
  readonly database: Database
  readonly events: Events
  readonly sealing: Sealing
  readonly tiers: Identity['tiers']
  /** The cluster of this process; absent when the service runs elsewhere. */
  readonly cluster: Cluster | undefined
  /** Where the cluster service is, and what it wants to be shown. */
  readonly clusterService: { readonly url: string; readonly apiKey: string | undefined }
  /** The header by which the cluster knows a session, in lower case. */
  readonly sessionHeader?: string
  readonly settings: ModelsSettings
  readonly log: Logger
  readonly metrics: Metrics
  /** How long a question to the cluster may take. */
  readonly timeoutMs?: number
  /** How long the answer of a cluster elsewhere is good for. */
  readonly freshMs?: number
}

/** The models, whoever runs them. */
export interface Models extends AsyncDisposable {
  /** Registers the interfaces of models with their routes. */
  readonly register: (app: HttpServer, idempotency: Idempotency) => Promise<void>
  /** What one replica at a time does to keep the books. */
  readonly tasks: readonly ModelsTask[]
  /** The one way to a model. */
  readonly gateway: Gateway
  readonly askForJson: AskForJson
  /** The money of an account, with its limit for the day. */
  readonly purseOf: DayPurse['of']
  /** What an account used of the money of this day, and what is set aside for calls under way. */
  readonly spentToday: DayPurse['spentToday']
  /** Writes down what was paid from the money of a day for something other than a call. */
  readonly settle: (settlement: Settlement) => Promise<void>
  /** Holds JSON against schemas that users wrote, in a thread of its own. */
  readonly schemas: Pick<SchemaChecker, 'requireUsable' | 'findProblems'>
  /** Every model there is, with its price. */
  readonly catalogue: CatalogueSource
  /** Who provides models, and how they are. */
  readonly providers: ProviderDirectory
  /** What models were used for, and how fast they were. */
  readonly usage: Pick<Usage, 'totals' | 'series' | 'speeds' | 'namesSince'>
  /** What became of answers that this process remembers. */
  readonly answerCache: () => AnswerCacheFigures
  /** The model that would be asked for by this name, `auto` included; undefined when nobody has it. */
  readonly findModel: (
    name: string,
    wish?: { readonly preferred?: readonly string[] | undefined },
  ) => Promise<CatalogueEntry | undefined>
}

/** Between two looks whether the reader of a stream is still there and may still read. */
const heartbeatMs = 15_000

export async function createModels(options: ModelsOptions): Promise<Models> {
  const {
    database,
    events,
    sealing,
    tiers,
    settings,
    log,
    metrics,
    timeoutMs = 2000,
    freshMs = 2000,
    sessionHeader = 'x-session-id',
  } = options
  await using closing = new AsyncDisposableStack()
  const usageRecorder = closing.use(createUsageRecorder({ database }))
  const dayPurse = closing.use(createDayPurse({ database, usage: usageRecorder, log }))
  const checker = closing.use(createSchemaChecker())
  const overrides = closing.use(await openPriceOverrides({ database, events, log }))
  const keys = closing.use(
    await openProviderKeys({
      database,
      sealing,
      events,
      environment: { openai: settings.openaiApiKey, anthropic: settings.anthropicApiKey },
      log,
    }),
  )
  const view = closing.use(
    options.cluster === undefined
      ? viewRemoteCluster({ ...options.clusterService, log, timeoutMs, freshMs })
      : viewOwnCluster(options.cluster, { mostWaitMs: timeoutMs }),
  )
  const gatewayId = randomUUID()
  const openai = { baseUrl: settings.openaiBaseUrl, models: settings.openaiModels }
  const anthropic = { baseUrl: settings.anthropicBaseUrl, models: settings.anthropicModels }
  const providers: readonly ModelProvider[] = [
    closing.use(
      createOllamaProvider({
        view,
        cluster: options.clusterService,
        settings,
        gatewayId,
        limits: settings,
        freshMs,
      }),
    ),
    closing.use(
      createOpenAiProvider({ settings: openai, limits: settings, readKey: () => keys.read('openai') }),
    ),
    closing.use(
      createAnthropicProvider({
        settings: anthropic,
        limits: settings,
        readKey: () => keys.read('anthropic'),
      }),
    ),
    createBuiltinProvider({ checker }),
  ]
  const prices = createPrices({
    overrides,
    cloud: {
      openai: { ...openai, priceList: settings.openaiPriceList },
      anthropic: { ...anthropic, priceList: settings.anthropicPriceList },
    },
    log,
  })
  const catalogue = createCatalogue({
    providers,
    prices,
    log,
    // Not less patient than the look at the cluster below it.
    mostWaitMs: timeoutMs + 500,
  })
  const states = createProviderStates({ providers })
  const cache = createAnswerCache(settings)
  const calls = createCallsUnderWay()
  const gateway = createGateway({
    providers,
    catalogue,
    cache,
    usage: usageRecorder,
    log,
    metrics,
    settings,
    calls,
  })
  const baseUrls = {
    ollama: options.clusterService.url,
    openai: openai.baseUrl,
    anthropic: anthropic.baseUrl,
    builtin: null,
  }
  const directory = createProviderDirectory({
    providers,
    standings: createStandings({ database, events, providers, catalogue, states }),
    calls,
    describe: createDescribeProvider({ keys, baseUrls }),
  })
  const usage = createUsage({ database })

  const limitOf = ({ tier }: Principal): number => tiers.limitsOfTier(tier).microDollarsPerDay
  const askForJson = createAskForJson({ gateway, checker })
  const routeOptions = {
    gateway,
    askForJson,
    purseOf: (principal: Principal) =>
      dayPurse.of({ accountId: principal.id ?? '', microDollarsPerDay: limitOf(principal) }),
    gatewayId,
    sessionHeader,
    ratePolicy: tiers.requestsPerHour,
    rules: { heartbeatMs, mostIdleMs: settings.mostIdleMs, bodyLimitBytes: settings.bodyLimitBytes },
    directory: catalogue,
  }
  const opened = closing.move()
  return {
    async register(app, idempotency) {
      const callOptions = { ...routeOptions, idempotency }
      await registerInterface(app, modelsInterface, (routes) => {
        addModelRoutes(routes, { catalogue })
        addUsageRoutes(routes, {
          usage,
          budgetOf: async (principal) => ({
            limit: limitOf(principal),
            ...(await dayPurse.spentToday(principal.id ?? '')),
          }),
        })
        addProviderRoutes(routes, {
          catalogue,
          states,
          keys,
          baseUrls,
        })
        addPriceRoutes(routes, { overrides, prices })
      })
      await registerInterface(app, gatewayInterface, (routes) => addRuntimeRoutes(routes, callOptions))
      await registerInterface(app, openAiInterface, (routes) => addOpenAiRoutes(routes, callOptions))
    },
    tasks: createModelsTasks({ database, log, callRetentionMs: settings.callRetentionMs }),
    gateway,
    askForJson,
    purseOf: (budget) => dayPurse.of(budget),
    spentToday: (accountId) => dayPurse.spentToday(accountId),
    settle: (settlement) => usageRecorder.record({ settlement }),
    schemas: checker,
    catalogue,
    providers: directory,
    usage,
    answerCache: () => cache.figures(),
    async findModel(model, { preferred } = {}) {
      const entries = await catalogue.find()
      try {
        const need = { capability: 'completion', runtimeFields: [] } as const
        return findCandidates({ model, fallback: 'none', need, preferred }, entries, settings)[0]
      } catch (error) {
        if (error instanceof Failure) return undefined
        throw error
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

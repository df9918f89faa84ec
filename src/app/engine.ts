import type { Connections } from '#connections'
import { type AnswerChannels, createEngine, type Engine, type EngineOptions, sampleFlows } from '#engine'
import type { AnswerLinks } from '#executions-api'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { type ObjectStore, type ObjectsSettings, openObjectStore } from '#kernel/objects'
import type { Outbound } from '#kernel/outbound'
import type { Logger, Metrics, Tracing } from '#kernel/telemetry'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import {
  type Agents,
  builtInWorkflows,
  createAgentCheck,
  createAgents,
  createModelNeed,
  createRunAgent,
} from '#orchestra'
import {
  createHumanTaskPublisher,
  createNotificationsPublisher,
  createOrchestraPublisher,
  createTriggerPublisher,
  createWorkflowsPublisher,
  type EstimateExecution,
  type Publisher,
  type StreamPresence,
  type Subscribers,
} from '#outbox'
import type { McpClients } from '#status'
import type { Webhooks } from '#webhooks'

export interface OpenEngineOptions {
  readonly settings: EngineOptions['settings'] & { readonly searchUrl: string | undefined }
  readonly database: Database
  readonly identity: Pick<Identity, 'accountStatusOf' | 'tiers' | 'findPeople'>
  readonly models: Models
  readonly outbound: Outbound
  readonly secrets: Connections['reader']
  /** Calls the tools of MCP servers for agents. */
  readonly mcpTools: McpClients
  /** How people are notified about human tasks. */
  readonly answerChannels: () => AnswerChannels
  readonly objects: ObjectsSettings
  readonly encryption: Encryption
  readonly hasSubscribers: EngineOptions['hasSubscribers'] & {}
  readonly onOutboxEntries: () => void
  readonly wrapRunStep?: EngineOptions['wrapRunStep']
  /** The clock of the history of executions. */
  readonly now?: EngineOptions['now']
  readonly cancelWaitMs?: EngineOptions['cancelWaitMs']
  /** Whether the built-in agents and flows are created. */
  readonly seed: boolean
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

interface OpenEngine {
  readonly engine: Engine
  readonly agents: Agents
}

/** Connects the engine to agents, models, outbound requests and the limits of accounts. */
export async function openEngine(options: OpenEngineOptions): Promise<OpenEngine> {
  const {
    settings,
    database,
    identity,
    models,
    outbound,
    secrets,
    hasSubscribers,
    onOutboxEntries,
    seed,
    log,
    tracing,
  } = options
  const { gateway, askForJson, findModel, schemas, settle } = models
  const tierOf = async (accountId: string) => (await identity.accountStatusOf(accountId))?.tier
  /** The executions of a deleted account still have to end: they get the limits of the lowest tier. */
  const limitsOf = async (accountId: string) =>
    identity.tiers.limitsOfTier((await tierOf(accountId)) ?? 'basic')
  const agents = createAgents({ database, forms: schemas })
  const runAgent = createRunAgent({ agents, findModel, forms: schemas, settle, tierOf, tracing })
  const engine = await createEngine({
    database,
    log,
    runStep: {
      gateway,
      askForJson,
      outbound,
      secrets,
      answerChannels: options.answerChannels,
      findPeople: identity.findPeople,
      runAgent,
      mcpTools: options.mcpTools,
      searchUrl: settings.searchUrl,
      schemas,
      providerNames: () => models.providers.names(),
      builtinRole: models.builtinRole,
      tracing,
    },
    wrapRunStep: options.wrapRunStep,
    limitsOf,
    accountBudgetOf: async (accountId) =>
      models.accountBudgetOf({
        accountId,
        microDollarsPerDay: (await limitsOf(accountId)).microDollarsPerDay,
      }),
    async accountStatusOf(accountId) {
      const status = await identity.accountStatusOf(accountId)
      if (status === undefined) return 'unknown'
      if (status.disabled) return 'disabled'
      return status.permissions.has('run workflows') ? 'permitted' : 'not_permitted'
    },
    findModel: (name) => findModel(name),
    catalogue: models.catalogue,
    routeNames: () => models.routeNames(),
    checkAgents: createAgentCheck(agents),
    modelNeedOf: createModelNeed(agents),
    requireUsableSchema: (schema) => schemas.requireUsable(schema),
    hasSubscribers,
    onOutboxEntries,
    objects: openObjects(options.objects, options.encryption),
    encryption: options.encryption,
    ...(options.now && { now: options.now }),
    cancelWaitMs: options.cancelWaitMs,
    metrics: options.metrics,
    settings,
  })
  if (seed) {
    await agents.seedBuiltIn()
    await engine.flows.seedBuiltIn()
    await engine.flows.seedBuiltIn(builtInWorkflows)
    await engine.flows.seedBuiltIn(sampleFlows)
  }
  return { engine, agents }
}

/** Throws a `UserError` when stored objects could not be encrypted. */
function openObjects(settings: ObjectsSettings, encryption: Encryption): ObjectStore | undefined {
  const objects = openObjectStore(settings)
  if (objects !== undefined && !encryption.canEncrypt())
    throw new UserError('TUTTI_OBJECTS_URL needs TUTTI_SECRET: objects are stored encrypted.')
  return objects
}

interface EventMappersOptions {
  readonly database: Database
  readonly engine: Engine
  readonly events: Events
  readonly webhooks: Webhooks
  readonly notifications: Notifications
  readonly subscribers: Subscribers
  /** Whether the ends of an account's executions start flows. */
  readonly startsFlows: (accountId: string) => Promise<boolean>
  readonly estimate: EstimateExecution
  readonly watch: StreamPresence
  readonly identity: Pick<Identity, 'accountStatusOf' | 'tiers' | 'emailAddressOf'>
  readonly models: Pick<Models, 'spentToday'>
  readonly publicUrl: string | undefined
  readonly answerLinks: AnswerLinks
  readonly log: Logger
}

/**
 * The event mappers of the outbox dispatcher: they turn outbox entries of executions into webhooks, notifications and events of each
 * API. The mappers that append to the event log have to be the last.
 */
export function createEventMappers(options: EventMappersOptions): readonly Publisher[] {
  const { identity, models, publicUrl } = options
  const base = publicUrl?.replace(/\/$/, '')
  const addressOf = identity.emailAddressOf
  const linkOf = (executionId: string) =>
    // The page of the console: people follow this link, and the API would respond with JSON or 401.
    base === undefined ? undefined : `${base}/executions/${executionId}`
  return [
    createWorkflowsPublisher(options),
    createNotificationsPublisher({ ...options, addressOf, linkOf }),
    createHumanTaskPublisher({
      ...options,
      addressOf,
      // Assignees may see the task and not its execution.
      linkOf: (taskId) => (base === undefined ? undefined : `${base}/human-tasks?task=${taskId}`),
    }),
    createOrchestraPublisher({
      ...options,
      spentToday: models.spentToday,
      async dayLimitOf(accountId) {
        const status = await identity.accountStatusOf(accountId)
        return status && identity.tiers.limitsOfTier(status.tier).microDollarsPerDay
      },
    }),
    createTriggerPublisher(options),
  ]
}

import { createEngine, createStepExecutor, type Engine, type EngineOptions, findModelWarnings } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Outbound } from '#kernel/outbound'
import type { Logger } from '#kernel/telemetry'
import type { Models } from '#models'
import { type Agents, builtInWorkflows, createAgentCheck, createAgents, createRunAgent } from '#orchestra'
import type { Settings } from './settings.ts'

interface OpenEngineOptions {
  readonly settings: Settings
  readonly database: Database
  readonly identity: Pick<Identity, 'standingOf' | 'tiers'>
  readonly models: Models
  readonly outbound: Outbound
  /** Whether somebody outside may want to hear of an execution. */
  readonly publishes: EngineOptions['publishes'] & {}
  readonly log: Logger
}

interface OpenEngine {
  readonly engine: Engine
  readonly agents: Agents
}

/** The engine with what it needs of others: agents and models to ask, a way out, and what accounts may use. */
export async function openEngine(options: OpenEngineOptions): Promise<OpenEngine> {
  const { settings, database, identity, models, outbound, publishes, log } = options
  const { gateway, askForJson, findModel, schemas, settle } = models
  const tierOf = async (accountId: string) => (await identity.standingOf(accountId))?.tier
  /** An account that is gone may use what the lowest tier may: its executions still have to end. */
  const limitsOf = async (accountId: string) =>
    identity.tiers.limitsOfTier((await tierOf(accountId)) ?? 'basic')
  const agents = createAgents({ database, forms: schemas })
  const runAgent = createRunAgent({ agents, gateway, askForJson, findModel, forms: schemas, settle, tierOf })
  const engine = await createEngine({
    database,
    log,
    runStep: createStepExecutor({ gateway, askForJson, outbound, runAgent }),
    limitsOf,
    purseOf: async (accountId) =>
      models.purseOf({ accountId, microDollarsPerDay: (await limitsOf(accountId)).microDollarsPerDay }),
    async standingOf(accountId) {
      const standing = await identity.standingOf(accountId)
      if (standing === undefined) return 'unknown'
      if (standing.disabled) return 'disabled'
      return standing.permissions.has('run workflows') ? 'permitted' : 'not_permitted'
    },
    findModel: (name) => findModel(name),
    checkModels: async ({ steps }) => findModelWarnings(steps, await models.catalogue.find()),
    checkAgents: createAgentCheck(agents),
    publishes,
    settings: settings.engine,
  })
  await agents.seedBuiltIn()
  await engine.flows.seedBuiltIn()
  await engine.flows.seedBuiltIn(builtInWorkflows)
  return { engine, agents }
}

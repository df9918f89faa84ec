import { rulesOf, StepFailure } from '#engine'
import { readSettings } from '#kernel/config'
import { migrate } from '#kernel/database'
import { createEncryption, encryptionSettings } from '#kernel/encryption'
import { createEvents } from '#kernel/events'
import { perCaller } from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createMetrics } from '#kernel/telemetry'
import { createModels, modelsSettings } from '#models'
import { type Agents, createAgents, createRunAgent, orchestraMigrations } from '#orchestra'
import { migrationSets } from '../../src/app/migrations.ts'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { createSchemaChecker } from '../../src/models/structured/schema-checker.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { openCallAccounting, quiet } from './models-accounting.ts'

type RunStep = ReturnType<typeof createStepExecutor>
type StepRun = Parameters<RunStep>[0]
type StepResult = Awaited<ReturnType<RunStep>>

/** The input of a step besides its definition. */
interface Setting {
  readonly content?: unknown
  readonly memory?: Readonly<Record<string, unknown>>
  readonly options?: Parameters<typeof rulesOf>[1]['options']
  readonly avoided?: readonly string[]
  readonly signal?: AbortSignal
  readonly attempt?: number
  readonly items?: number
  readonly failed?: Readonly<Record<string, string>>
}

/** Agents with models of a fake OpenAI server, or with the built-in model only. */
export interface AgentsScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly agents: Agents
  readonly openai: OpenAiServer
  readonly seen: {
    readonly tokens: string[]
    readonly logs: string[]
    readonly phases: string[]
    /** The names of the warnings. */
    readonly warnings: string[]
  }
  /** Sets the tier of the calling account. */
  setTier(tier: string): void
  /** Saves a variant of the agent `plain`. */
  make(fields: object): Promise<void>
  run(step: object, setting?: Setting): Promise<StepResult>
  /** Runs the step and returns its failure. */
  fail(step: object, setting?: Setting): Promise<StepFailure>
  /** The micro-dollars that the calling account has spent today. */
  spent(): Promise<{ readonly spent: number; readonly reserved: number }>
}

export const accountId = '00000000-0000-7000-8000-000000000001'

/** An agent that only requests a text of a model. */
export const plain = {
  id: 'plain',
  label: 'Plain',
  description: 'Says something about a text.',
  category: 'content',
  capabilities: ['test'],
  supported_languages: ['*'],
  input_types: ['text', 'json', 'html'],
  output_format: 'text',
  configuration: { supports_streaming: false, max_input_length: 10_000, timeout: 20, retry_limit: 0 },
  prompt: 'About: {{content}}',
} as const

interface SceneOptions {
  /** Whether there is a language model. Default: true. */
  readonly withModel?: boolean
  readonly microDollarsPerDay?: number
}

export async function openAgentsScene(options: SceneOptions = {}): Promise<AgentsScene> {
  const { withModel = true, microDollarsPerDay = 10_000_000 } = options
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await createTestDatabase())
  await migrate(database, [...new Set([...migrationSets, orchestraMigrations])], quiet)
  const openai = opening.use(await startOpenAiServer())
  const metrics = createMetrics({ watchProcess: false })
  const rate = { limit: 1000, windowSeconds: 1 }
  const models = opening.use(
    await createModels({
      database,
      events: opening.use(createEvents({ database, log: quiet, metrics })),
      encryption: createEncryption({ settings: readSettings(encryptionSettings, {}), database, dataDir: '' }),
      tiers: {
        limitsOfTier: () => ({ requestsPerHour: 1000, concurrentWorkflows: 10, microDollarsPerDay }),
        requestsPerHour: perCaller({ name: 'test', signedIn: rate, anonymous: rate }),
      },
      limiter: opening.use(createLimiter({ database, log: quiet, metrics })),
      cluster: undefined,
      // The port is closed: there is no cluster.
      clusterService: { url: 'http://127.0.0.1:9', apiKey: undefined },
      settings: readSettings(modelsSettings, {
        RUNTIME_NODE_URL: 'http://127.0.0.1:9',
        ...(withModel && {
          OPENAI_BASE_URL: openai.baseUrl,
          OPENAI_API_KEY: 'sk-test',
          OPENAI_DEFAULT_MODEL: 'gpt-4o-mini',
          OPENAI_PRICE_LIST: 'openai',
        }),
      }),
      log: quiet,
      metrics,
    }),
  )
  const callAccounting = opening.use(openCallAccounting(database))
  const forms = opening.use(createSchemaChecker())
  const agents = createAgents({ database, forms })
  await agents.seedBuiltIn()
  let tier = 'professional'
  const { gateway, askForJson, findModel } = models
  const runAgent = createRunAgent({
    agents,
    findModel,
    forms,
    settle: (settlement) => callAccounting.usage.record({ settlement }),
    tierOf: async () => tier,
  })
  const outbound = createOutbound({ allow: [], log: quiet })
  const runStep = createStepExecutor({
    gateway,
    askForJson,
    schemas: forms,
    outbound,
    runAgent,
    providerNames: async () => ['ollama', 'openai', 'anthropic', 'builtin'],
    builtinRole: models.builtinRole,
  })
  const seen: AgentsScene['seen'] = { tokens: [], logs: [], phases: [], warnings: [] }
  const opened = opening.move()

  async function run(step: object, setting: Setting = {}): Promise<StepResult> {
    const { content = 'A text.', memory = {}, options: given = {}, attempt = 1 } = setting
    const context = { content }
    for (const list of Object.values(seen)) list.length = 0
    const asked: StepRun = {
      step: { id: 'work', type: 'agent', agent: 'plain', ...step },
      path: 'ask',
      executionId: 'e1',
      accountId,
      flow: { id: 'asking', version: 1 },
      item: 0,
      items: setting.items,
      attempt,
      scope: { context, memory, steps: {} },
      wait: () => Promise.reject(new Error('The step must not wait.')),
      failedProducerOf: (path) => setting.failed?.[path],
      rules: rulesOf({}, { context, options: given }, new Date()),
      avoidedProviders: new Set(setting.avoided),
      signal: setting.signal ?? new AbortController().signal,
      budget: models.accountBudgetOf({ accountId, microDollarsPerDay }),
      onToken: (text) => void seen.tokens.push(text),
      onPhase: (phase) => void seen.phases.push(phase),
      log(_level, message, details = {}) {
        seen.logs.push(message)
        if (typeof details['warning'] === 'string') seen.warnings.push(details['warning'])
      },
    }
    return await runStep(asked)
  }

  return {
    database,
    agents,
    openai,
    seen,
    setTier: (to) => {
      tier = to
    },
    async make(fields) {
      await agents.create({ ...plain, ...fields }, { by: null })
    },
    run,
    async fail(step, setting) {
      const thrown: unknown = await run(step, setting).catch((error: unknown) => error)
      if (thrown instanceof StepFailure) return thrown
      throw new Error('it did not fail as a step', { cause: thrown })
    },
    spent: () => callAccounting.budget.spentToday(accountId),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A scripted response of a model, in one piece. */
export const says = (text: string | object, usage = { input: 100, output: 50 }) => ({
  steps: [{ text: typeof text === 'string' ? text : JSON.stringify(text) }],
  usage,
})

/** The messages of each request to the model, in order. */
export function questions({ openai }: AgentsScene): { readonly role: string; readonly content: string }[][] {
  return openai.requests
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => body['messages'] as { role: string; content: string }[])
}

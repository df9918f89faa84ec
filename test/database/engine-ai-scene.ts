import { rulesOf, StepFailure } from '#engine'
import { createOutbound } from '#kernel/outbound'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { createBuiltinProvider } from '../../src/models/builtin/builtin-provider.ts'
import type { ModelProvider } from '../../src/models/providers/provider.ts'
import { createSchemaChecker } from '../../src/models/structured/schema-checker.ts'
import { createGenerateJson } from '../../src/models/structured/structured-output.ts'
import {
  type GatewayScene,
  miniPrice,
  openGatewayScene,
  type SceneOptions,
  startOpenAi,
} from '../http/models-gateway-core-scene.ts'
import { providerFor } from '../http/models-provider-anthropic-support.ts'
import { type AnthropicServer, startAnthropicServer } from '../support/anthropic-server.ts'
import type { OpenAiServer } from '../support/openai-server.ts'
import { quiet } from './models-accounting.ts'

type RunStep = ReturnType<typeof createStepExecutor>
type StepRun = Parameters<RunStep>[0]
type StepResult = Awaited<ReturnType<RunStep>>
type Options = Parameters<typeof rulesOf>[1]['options']
type Rules = NonNullable<Parameters<typeof rulesOf>[0]['global_configuration']>

/** The input of a step besides its definition. */
interface Setting {
  readonly context?: Readonly<Record<string, unknown>>
  readonly memory?: Readonly<Record<string, unknown>>
  readonly steps?: Readonly<Record<string, unknown>>
  readonly options?: Options
  readonly flow?: Rules
  readonly avoided?: readonly string[]
  readonly signal?: AbortSignal
  readonly item?: number
  readonly attempt?: number
  /** Memory paths without a value, because their step failed. */
  readonly failed?: Readonly<Record<string, string>>
  readonly budget?: StepRun['budget']
}

/** The observations of a running step. */
interface Watched {
  readonly tokens: string[]
  readonly phases: string[]
  readonly logs: { readonly level: string; readonly message: string }[]
  /** The names of the warnings. */
  readonly warnings: string[]
}

/** Steps that call models of OpenAI and Anthropic (both fake servers) and the built-in model. */
export interface AiScene extends AsyncDisposable {
  readonly openai: OpenAiServer
  readonly anthropic: AnthropicServer
  readonly gateway: GatewayScene
  readonly seen: Watched
  /** For an engine. */
  readonly runStep: RunStep
  run(step: object, setting?: Setting): Promise<StepResult>
  /** Runs the step and returns its failure. */
  fail(step: object, setting?: Setting): Promise<StepFailure>
}

export const claude = 'claude-sonnet-4-5'

interface AiSceneOptions extends Omit<SceneOptions, 'providers'> {
  /** The available providers. Default: all. */
  readonly only?: readonly ModelProvider['name'][]
}

export async function openAiScene(options: AiSceneOptions = {}): Promise<AiScene> {
  await using opening = new AsyncDisposableStack()
  const { server: openai, provider: openaiProvider } = opening.use(await startOpenAi())
  const anthropic = opening.use(await startAnthropicServer())
  const anthropicProvider = opening.use(providerFor(anthropic))
  const checker = opening.use(createSchemaChecker())
  const all = [openaiProvider, anthropicProvider, createBuiltinProvider({ checker })]
  const used = all.filter(({ name }) => options.only?.includes(name) ?? true)
  const others = used.filter(({ name }) => name !== 'builtin')
  const gateway = opening.use(
    await openGatewayScene({
      openaiDefaultModel: 'gpt-4o-mini',
      anthropicDefaultModel: claude,
      prices: {
        openai: miniPrice,
        anthropic: miniPrice,
        builtin: { source: 'free', version: 'builtin', prices: { input: 0, cachedInput: 0, output: 0 } },
      },
      ...options,
      providers: used,
    }),
  )
  const runStep = createStepExecutor({
    gateway: gateway.gateway,
    askForJson: createGenerateJson({ gateway: gateway.gateway, checker }),
    schemas: checker,
    outbound: createOutbound({ allow: ['127.0.0.1'], log: quiet }),
    providerNames: async () => ['ollama', 'openai', 'anthropic', 'builtin'],
    builtinRole: async () =>
      others.length === 0
        ? { kind: 'only', withoutDefault: [] }
        : { kind: 'fallback', others: others.map(({ name }) => name), withoutDefault: [] },
  })
  const seen: Watched = { tokens: [], phases: [], logs: [], warnings: [] }
  const opened = opening.move()

  async function run(step: object, setting: Setting = {}): Promise<StepResult> {
    const { context = {}, memory = {}, steps = {}, options: given = {}, flow = {} } = setting
    const { budget, signal } = gateway.chatRequest()
    for (const list of Object.values(seen)) list.length = 0
    return await runStep({
      step: { id: 'ask', type: 'ai_prompt', prompt: 'Hello', ...step },
      path: 'ask',
      executionId: 'e1',
      accountId: 'ada',
      flow: { id: 'asking', version: 1 },
      item: setting.item ?? 0,
      attempt: setting.attempt ?? 1,
      scope: { context, memory, steps },
      wait: () => Promise.reject(new Error('The step must not wait.')),
      failedProducerOf: (path) => setting.failed?.[path],
      rules: rulesOf({ global_configuration: flow }, { context, options: given }, new Date()),
      avoidedProviders: new Set(setting.avoided),
      signal: setting.signal ?? signal,
      budget: setting.budget ?? budget,
      onToken: (text) => void seen.tokens.push(text),
      onPhase: (phase) => void seen.phases.push(phase),
      log(level, message, details = {}) {
        seen.logs.push({ level, message })
        if (typeof details['warning'] === 'string') seen.warnings.push(details['warning'])
      },
    })
  }

  return {
    openai,
    anthropic,
    gateway,
    seen,
    runStep,
    run,
    async fail(step, setting) {
      const thrown: unknown = await run(step, setting).catch((error: unknown) => error)
      if (thrown instanceof StepFailure) return thrown
      throw new Error('it did not fail as a step', { cause: thrown })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A scripted response of a model, in one piece. */
export const says = (text: string, usage = { input: 100, output: 50 }) => ({ steps: [{ text }], usage })

/** The messages of the last request to OpenAI. */
export function lastAsked({ openai }: AiScene): Readonly<Record<string, unknown>> {
  return openai.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body ?? {}
}

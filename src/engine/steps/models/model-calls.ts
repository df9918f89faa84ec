import { Failure } from '#kernel/errors'
import {
  type Budget,
  type BuiltinRole,
  type CallCost,
  type ChatRequest,
  type Gateway,
  type GenerateJson,
  type ModelPart,
  type ResponseMetadata,
} from '#models'
import { noUsage, StepFailure, type StepUsage } from '../step-failure.ts'
import { type StepRun } from '../step-run.ts'
import { isBuiltinWithheld, lacksLanguageModel, noLanguageModel, warnOfBuiltin } from './builtin-fallback.ts'
import { explainModelFailure, explainSchemaFailure, isNoLanguageModel } from './explain-model-failure.ts'

/** The model calls of one step. Adds up their usage, also of calls that fail. */
export interface ModelCalls {
  /** The budget of the execution. The usage of the step includes every payment from it. */
  readonly budget: Budget
  /** Builds a request with the rules of the execution: provider preferences, fallback and cache. Throws when the database cannot be read. */
  request(options: ModelRequestOptions): Promise<ChatRequest>
  /**
   * Streams one response. The call is settled when this resolves or rejects: aborting the execution leaves the stream, which ends the
   * provider's work. Throws a StepFailure.
   */
  chat(request: ChatRequest, options?: ChatOptions): Promise<ModelResponse>
  /**
   * Requests JSON that satisfies a schema. Throws the failure of the gateway, which `explain` turns into a StepFailure, and
   * PROVIDER_UNAVAILABLE when there is no language model.
   */
  askForJson: GenerateJson
  /** The StepFailure for a failure of the gateway; any other error as it is. */
  explain(thrown: unknown): unknown
  /** The same for `askForJson` with the schema of a user: a response that never satisfied it is VALIDATION_FAILED. */
  explainSchema(thrown: unknown): unknown
  /** Throws PROVIDER_UNAVAILABLE unless the built-in provider may take the place of this model. */
  requireBuiltinAllowed(model: string): Promise<void>
  /** Logs a warning when the response came from none of the preferred providers, or from the built-in one in place of a language model. */
  warnOfProvider(response: Respondent): Promise<void>
  usage(): StepUsage
}

interface ChatOptions {
  readonly onToken?: (text: string) => void
  /** The parts of the response besides its text, such as calls of tools. Default: they are left out. */
  readonly onPart?: (part: Exclude<ModelPart, { readonly type: 'text' }>) => void
}

interface ModelResponse {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'other'
  readonly provider: string
  readonly model: string
  /** The tried providers, including the one with the response. */
  readonly attempts: number
  /** Whether a route chose the provider. */
  readonly isRouted: boolean
}

export interface ModelCallsOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly askForJson: GenerateJson
  /** The names of all providers. */
  readonly providerNames: () => Promise<readonly string[]>
  /** What the built-in provider is for a call that names no model. */
  readonly builtinRole: () => Promise<BuiltinRole>
}

/** Longer responses could not be stored in the shared memory. */
const maxResponseLength = 8 * 1024 * 1024

export function createModelCalls(
  run: Pick<
    StepRun,
    | 'step'
    | 'executionId'
    | 'rules'
    | 'accountId'
    | 'attempt'
    | 'avoidedProviders'
    | 'signal'
    | 'budget'
    | 'onToken'
    | 'onPhase'
    | 'log'
  >,
  { gateway, askForJson, providerNames, builtinRole }: ModelCallsOptions,
): ModelCalls {
  const { signal } = run
  const meter = createUsageMeter(run.budget)

  return {
    budget: meter.budget,
    async request(options) {
      const isWithheld = await isBuiltinWithheld(run, options.model ?? 'auto', builtinRole)
      return modelRequestOf(run, meter.budget, options, isWithheld)
    },
    explain: explainModelFailure,
    explainSchema: explainSchemaFailure,
    async requireBuiltinAllowed(model) {
      if (await isBuiltinWithheld(run, model, builtinRole)) throw await noLanguageModel(builtinRole)
    },
    async warnOfProvider(response) {
      await warnOfPreference(run, response, providerNames)
      await warnOfBuiltin(run, response, builtinRole)
    },
    usage: () => meter.usage(),

    async chat(request, { onToken = run.onToken, onPart } = {}) {
      const startedMs = performance.now()
      const { parts, cost, ...respondent } = await gateway.chat(request).catch(async (error: unknown) => {
        meter.failed(error, performance.now() - startedMs)
        signal.throwIfAborted()
        throw lacksLanguageModel(run, request, error)
          ? await noLanguageModel(builtinRole, error)
          : explainModelFailure(error)
      })
      run.onPhase('ai_response_streaming')
      const pieces: string[] = []
      let length = 0
      let finish: ModelResponse['finish'] | 'content_filter' = 'other'
      try {
        for await (const part of parts) {
          if (part.type === 'end') finish = part.finish === 'tool_calls' ? 'other' : part.finish
          if ('text' in part) length += part.text.length
          if (length > maxResponseLength) throw tooLong(length)
          if (part.type !== 'text') {
            onPart?.(part)
            continue
          }
          pieces.push(part.text)
          onToken(part.text)
        }
      } catch (error) {
        signal.throwIfAborted()
        throw explainModelFailure(error)
      } finally {
        meter.completed(respondent, await cost)
      }
      const { provider, model, attempts } = respondent
      if (finish === 'content_filter') throw filtered(provider, model)
      if (finish === 'length')
        run.log('warning', 'The response was truncated: it reached the maximum number of tokens.', { model })
      const isRouted = respondent.route !== undefined
      return { text: pieces.join(''), finish, provider, model, attempts, isRouted }
    },

    async askForJson(options) {
      const startedMs = performance.now()
      try {
        const response = await askForJson(options)
        meter.completed(response, response.cost, response.asked)
        return response
      } catch (error) {
        signal.throwIfAborted()
        if (!isNoLanguageModel(error)) meter.failed(error, performance.now() - startedMs)
        throw lacksLanguageModel(run, options.request, error)
          ? await noLanguageModel(builtinRole, error)
          : error
      }
    },
  }
}

function filtered(provider: string, model: string): StepFailure {
  return new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `${provider} withheld the response of ${model}: its content filter blocked it.`,
    provider,
    details: { provider, model, reason: 'content_filter' },
  })
}

function tooLong(length: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The model wrote more than ${maxResponseLength / 1024 / 1024} MB; lower max_tokens.`,
    details: { output_bytes: length },
  })
}

/** The prompt of a step and its model options. */
interface ModelRequestOptions {
  readonly system?: string | undefined
  readonly prompt: string
  /** Whether the response must be JSON. Default: false. */
  readonly asJson?: boolean
  /** A conversation with tools, in place of the prompt. Its responses are not cached: results of tools change. */
  readonly conversation?: Pick<ChatRequest['call'], 'messages' | 'tools' | 'toolChoice'> | undefined
  /** Default: the first available provider of the default chain. */
  readonly model?: string | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
}

/** Some providers require the word JSON in the conversation before they respond in JSON. */
const jsonInstruction = 'Answer with JSON and nothing else.'

/**
 * The request of a step to the gateway.
 *
 * | the step              | uses                                                                                                  |
 * |-----------------------|-------------------------------------------------------------------------------------------------------|
 * | names a model         | that model; other providers only with `fallback_enabled`, or after the provider failed the step       |
 * | names no model        | the default chain, preferred providers first; the built-in provider only as `isBuiltinWithheld` says  |
 */
function modelRequestOf(
  {
    step,
    executionId,
    rules,
    accountId,
    attempt,
    avoidedProviders,
    signal,
  }: Pick<
    StepRun,
    'step' | 'executionId' | 'rules' | 'accountId' | 'attempt' | 'avoidedProviders' | 'signal'
  >,
  budget: Budget,
  {
    system,
    prompt,
    asJson = false,
    conversation,
    model = 'auto',
    temperature,
    maxTokens,
  }: ModelRequestOptions,
  withholdsBuiltin: boolean,
): ChatRequest {
  const instructions = [system, asJson ? jsonInstruction : undefined].filter((text) => text !== undefined)
  return {
    accountId,
    budget,
    source: 'engine',
    origin: { executionId, stepId: step.id },
    signal,
    // A retry must not get the rejected response from the cache.
    cache: conversation !== undefined ? 'off' : attempt === 1 ? 'use' : 'refresh',
    fallback: fallbackOf(rules, avoidedProviders, model),
    preferred: rules.preferredProviders,
    avoided: withholdsBuiltin ? new Set([...avoidedProviders, 'builtin']) : avoidedProviders,
    call: {
      model,
      kind: 'chat',
      messages: [
        ...(instructions.length === 0
          ? []
          : [{ role: 'system' as const, content: instructions.join('\n\n') }]),
        { role: 'user', content: prompt },
      ],
      temperature,
      maxTokens,
      ...(asJson && { format: {} }),
      ...conversation,
    },
  }
}

function fallbackOf(
  { mayFallBack, mayUseBuiltin }: StepRun['rules'],
  avoidedProviders: ReadonlySet<string>,
  model: string,
): ChatRequest['fallback'] {
  if (mayFallBack || avoidedProviders.size > 0) return 'any'
  return mayUseBuiltin && model === 'auto' ? ['builtin:text'] : 'none'
}

/** Adds up the usage of the model calls of one step, also of calls that fail. */
interface UsageMeter {
  /** The budget of the step. Every payment counts, whether or not the call succeeds. */
  readonly budget: Budget
  /** A call succeeded, after `calls` calls. */
  completed(respondent: ResponseMetadata, cost: CallCost, calls?: number): void
  /** A call failed after this time. The failure names the providers that were tried. */
  failed(thrown: unknown, aiMs: number): void
  usage(): StepUsage
}

function createUsageMeter(budget: Budget): UsageMeter {
  let usage = noUsage
  let paid = 0
  let isUnpriced = false

  return {
    budget: {
      left: budget.left,
      async reserve(microDollars, reservedFor, signal) {
        const reservation = await budget.reserve(microDollars, reservedFor, signal)
        return {
          settle(cost) {
            paid += cost
            return reservation.settle(cost)
          },
        }
      },
    },
    completed({ provider, model, attempts, cache }, cost, calls = 1) {
      const isHit = cache === 'hit'
      // The cache and the built-in provider need no network; the providers that were tried before did.
      const isLocal = isHit || provider === 'builtin'
      isUnpriced ||= cost.microDollars === null
      usage = {
        ...usage,
        provider: usage.provider ?? provider,
        model: usage.model ?? model,
        inputTokens: usage.inputTokens + (cost.inputTokens ?? 0),
        outputTokens: usage.outputTokens + (cost.outputTokens ?? 0),
        aiCalls: usage.aiCalls + calls,
        cacheHits: usage.cacheHits + (isHit ? 1 : 0),
        networkRequests: usage.networkRequests + attempts - 1 + (isLocal ? 0 : calls),
        aiMs: usage.aiMs + cost.latencyMs,
      }
    },
    failed(thrown, aiMs) {
      if (!(thrown instanceof Failure)) return
      const { calls, requests } = callsBefore(thrown)
      if (calls === 0) return
      usage = {
        ...usage,
        inputTokens: usage.inputTokens + numberAt(thrown, 'input_tokens'),
        outputTokens: usage.outputTokens + numberAt(thrown, 'output_tokens'),
        aiCalls: usage.aiCalls + calls,
        networkRequests: usage.networkRequests + requests,
        aiMs: usage.aiMs + aiMs,
      }
    },
    usage: () => ({ ...usage, microDollars: isUnpriced ? null : paid }),
  }
}

/** The calls made before the failure, from the details the gateway adds to it. */
function callsBefore(failure: Failure): { readonly calls: number; readonly requests: number } {
  const { provider, others } = failure.details
  const times = numberAt(failure, 'asked')
  const further = Array.isArray(others) ? (others as { readonly provider?: unknown }[]) : []
  const providers = [provider, ...further.map((other) => other.provider)].filter((name) => name !== undefined)
  const remote = providers.filter((name) => name !== 'builtin').length
  return { calls: times + (providers.length === 0 ? 0 : 1), requests: times + remote }
}

function numberAt({ details }: Failure, name: string): number {
  const value = details[name]
  return typeof value === 'number' ? value : 0
}

interface Respondent {
  readonly provider: string
  /** The tried providers, including the one with the response. */
  readonly attempts: number
  /** The model that the step or its agent names; undefined: none. */
  readonly named: string | undefined
  /** Whether a route chose the provider. */
  readonly isRouted?: boolean | undefined
}

/** Logs a warning with the reasons when none of the preferred providers of the execution was used. */
async function warnOfPreference(
  { rules: { preferredProviders: preferred }, log }: Pick<StepRun, 'rules' | 'log'>,
  respondent: Respondent,
  providerNames: ModelCallsOptions['providerNames'],
): Promise<void> {
  if (preferred.length === 0 || preferred.includes(respondent.provider)) return
  const known = await providerNames()
  const reasons = preferred.map((name) => `"${name}" ${reasonFor(name, respondent, known)}`)
  log('warning', `preferred_providers: ${respondent.provider} was used, because ${reasons.join(', and ')}.`, {
    warning: 'preferred_provider_not_used',
    preferred_providers: [...preferred],
    provider: respondent.provider,
  })
}

function reasonFor(name: string, { attempts, named }: Respondent, known: readonly string[]): string {
  if (!known.includes(name)) return `is not a known provider (known are ${known.join(', ')})`
  if (named !== undefined) return `does not offer the model "${named}" of the step`
  return attempts > 1 ? 'was tried and failed' : 'has no default model available'
}

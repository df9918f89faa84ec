import { Failure, kernelFailure } from '#kernel/errors'
import { runtimeFieldsOf } from '#kernel/native-api'
import { disabledTracing, type Logger, type Metrics, type Tracing } from '#kernel/telemetry'
import type { ModelAdmission } from '../limits/admission.ts'
import { featuresOf } from '../providers/content.ts'
import type { EmbedCall, Embeddings, ModelCall, ModelProvider } from '../providers/provider.ts'
import { defaultModelsOf, type ProviderRegistry, type RegisteredProviders } from '../providers/registry.ts'
import type { AccountTokenizer, Tokenizer } from '../providers/tokenizer.ts'
import type { ContentRecorder } from '../recording/content-recorder.ts'
import { createResponseTimes, type ResponseTimes } from '../routing/response-times.ts'
import type { ModelRoutes } from '../routing/routes.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import { type ActiveCalls, createActiveCalls } from './active-calls.ts'
import { admitAttempt, type Gatekeepers } from './admit-attempt.ts'
import { createAttempt } from './attempt.ts'
import { boundEmbed, type OutputLimits } from './bound.ts'
import { type CallAccounting, type CountTokens, createCallAccounting } from './call-accounting.ts'
import { observeCall, traceOf } from './call-observer.ts'
import { type CandidateQuery, type Candidates, findCandidates } from './candidates.ts'
import type { CatalogueEntry, CatalogueSource } from './catalogue-entry.ts'
import { attemptChat } from './chat-attempt.ts'
import type { ChatResponse, EmbedRequest, EmbedResponse, Gateway } from './contract.ts'
import type { DefaultModels } from './default-chain.ts'
import type { CallRequirements } from './eligible.ts'
import { asProviderFailure } from './explain-failure.ts'
import { type GatewayCall, startCall } from './gateway-call.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { createOperationMetrics } from './operation-metrics.ts'
import type { ResponseCache } from './response-cache.ts'
import { createRetries } from './retries.ts'
import { saneCount } from './sane-usage.ts'
import { type AttemptResult, type TryCandidatesOptions, tryCandidates } from './try-candidates.ts'

export interface GatewayOptions {
  readonly providers: ProviderRegistry
  readonly catalogue: CatalogueSource
  readonly cache: ResponseCache
  readonly usage: UsageRecorder
  readonly log: Logger
  readonly metrics: Metrics
  /** `retries`: how often a candidate that is rate limited or unavailable is tried again. Default: 0. */
  readonly settings: Pick<DefaultModels, 'defaultModel'> & OutputLimits & { readonly retries?: number }
  readonly tokenizer: Pick<Tokenizer, 'of'>
  /** Default: no traces. */
  readonly tracing?: Tracing
  /** Records prompts and answers. Default: none are recorded. */
  readonly recorder?: Pick<ContentRecorder, 'startChat' | 'startEmbed'>
  /** Counts the running calls of each provider. */
  readonly calls?: ActiveCalls
  /** Applies the limits of models and providers. Default: there are none. */
  readonly admission?: ModelAdmission
  /** Counts the tokens of an API key with a token limit. */
  readonly countTokens?: CountTokens
  /** The routes of operators. Default: none. */
  readonly routes?: Pick<ModelRoutes, 'read'>
  readonly responseTimes?: ResponseTimes
}

/** The gateway with its call accounting, for calls that reach a model by another way. */
interface AccountedGateway extends Gateway {
  readonly callAccounting: CallAccounting
}

/** Creates the gateway: candidates, budgets, attempts with fallback, response cache and call records. */
export function createGateway(options: GatewayOptions): AccountedGateway {
  const { providers, catalogue, cache, usage, log, settings, calls = createActiveCalls() } = options
  const { recorder, tracing = disabledTracing(), routes, responseTimes = createResponseTimes() } = options
  const { tokenizer } = options
  const metrics = createGatewayMetrics(options.metrics, cache)
  const operationMetrics = createOperationMetrics(options.metrics)
  const callAccounting = createCallAccounting({
    usage,
    metrics,
    log,
    countTokens: options.countTokens,
    responseTimes,
  })
  const retryPolicy = createRetries({ usual: settings.retries ?? 0, metrics: options.metrics })
  const gatekeepers: Gatekeepers = { admission: options.admission, callAccounting, calls }

  async function candidatesFor(
    call: GatewayCall,
    query: CandidateQuery,
    { known, session }: { readonly known: RegisteredProviders; readonly session: string | undefined },
  ): Promise<Candidates> {
    try {
      const [entries, named] = await Promise.all([catalogue.find(), routes?.read()])
      const { measured } = call
      const found = findCandidates(
        query,
        entries.filter(({ provider }) => known.has(provider)),
        { defaultModel: settings.defaultModel, ofProviders: defaultModelsOf(known) },
        named && {
          routes: named,
          order: {
            measuredMs: (entry) => responseTimes.of(entry, measured),
            measured,
            random: Math.random,
            session,
          },
        },
      )
      if (found.route === undefined) return found
      call.route.setRoute(found.route)
      metrics.routed(found.route.name, found.entries[0].provider)
      return found
    } catch (error) {
      if (error instanceof Failure) metrics.refused(error.code)
      call.observer.onFailure(error instanceof Failure ? error.code : 'internal')
      throw error
    }
  }

  /** Tries the candidates in order, with the retries of the route. */
  async function tryAll<Response extends ChatResponse | EmbedResponse>(
    call: GatewayCall,
    { entries, route }: Candidates,
    signal: AbortSignal,
    attempt: TryCandidatesOptions<Response>['attempt'],
  ): Promise<Response> {
    const response = await tryCandidates({
      call,
      candidates: entries,
      callAccounting,
      metrics,
      attempt,
      retryPolicy,
      retries: route?.retries,
      signal,
    })
    if (route === undefined) return response
    return { ...response, route: { name: route.name, version: route.version } }
  }

  return {
    callAccounting,
    async chat(request) {
      const { format, runtime, tools } = request.call
      requireShallow({ format, runtime, tools })
      const call = startCall(request, (callId) =>
        observeCall({
          ...request,
          tracing,
          metrics: operationMetrics,
          recording: recorder?.startChat(request.call, request.recording),
          callId,
          operation: request.call.kind === 'chat' ? 'chat' : 'text_completion',
        }),
      )
      const known = await providers.read()
      const query: CandidateQuery = {
        model: request.call.model,
        fallback: request.fallback,
        preferred: request.preferred,
        avoided: request.avoided,
        limits: request.limits,
        requirements: {
          capability: 'completion',
          runtimeFields: runtimeFieldsOf(request.call.runtime),
          features: featuresOf(request.call),
          native: nativeRequirementOf(request.call, known),
        },
      }
      const session = request.call.session?.value
      const candidates = await candidatesFor(call, query, { known, session })
      return tryAll(call, candidates, request.signal, (entry, number, isLast) =>
        attemptChat({
          ...gatekeepers,
          request,
          call,
          entry,
          number,
          isLast,
          provider: providerOf(entry, known),
          cache,
          metrics,
          tokenizer,
          limits: settings,
          log,
        }),
      )
    },

    async embed(request) {
      const call = startCall(request, (callId) =>
        observeCall({
          ...request,
          tracing,
          metrics: operationMetrics,
          recording: recorder?.startEmbed(request.call, request.recording),
          callId,
          operation: 'embeddings',
        }),
      )
      const known = await providers.read()
      const query: CandidateQuery = {
        model: request.call.model,
        fallback: request.fallback,
        limits: request.limits,
        requirements: {
          capability: 'embedding',
          runtimeFields: [],
          native: nativeRequirementOf(request.call, known),
        },
      }
      const session = request.call.session?.value
      const candidates = await candidatesFor(call, query, { known, session })
      return tryAll(call, candidates, request.signal, (entry, number, isLast) =>
        attemptEmbed({
          ...gatekeepers,
          request,
          call,
          entry,
          number,
          isLast,
          provider: providerOf(entry, known),
          tokenizer,
          log,
        }),
      )
    },
  }
}

function providerOf({ provider }: CatalogueEntry, known: RegisteredProviders): ModelProvider {
  const found = known.get(provider)
  if (found === undefined) throw new TypeError(`there is no provider ${provider}`)
  return found.provider
}

function nativeRequirementOf(
  { original }: ModelCall | EmbedCall,
  known: RegisteredProviders,
): CallRequirements['native'] {
  if (original === undefined || original.nativeFields.length === 0) return undefined
  const { protocol, nativeFields: fields } = original
  return { fields, isSpokenBy: (name) => known.get(name)?.provider.speaks?.(protocol) === true }
}

const maxDepth = 200

/** Throws for deep nesting: these objects are serialised as JSON again, which would overflow the stack. */
function requireShallow(value: object): void {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) {
      throw kernelFailure('invalid_input', {
        message: `The request is nested deeper than ${maxDepth} levels.`,
      })
    }
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
}

interface EmbedAttemptOptions extends Gatekeepers {
  readonly request: EmbedRequest
  readonly call: GatewayCall
  readonly entry: CatalogueEntry
  readonly number: number
  readonly isLast: boolean
  readonly provider: ModelProvider
  readonly tokenizer: Pick<Tokenizer, 'of'>
  readonly log: Logger
}

/** Tries one candidate for an embedding call. */
async function attemptEmbed(options: EmbedAttemptOptions): Promise<AttemptResult<EmbedResponse>> {
  const { request, call, entry, number, isLast, provider, callAccounting, log } = options
  const tokenizer = options.tokenizer.of(call.accountId)
  const { original } = request.call
  const isRaw = original !== undefined && provider.speaks?.(original.protocol) === true
  const embedCall = isRaw ? request.call : await withTexts(tokenizer, request.call)
  const bound = boundEmbed(entry, embedCall)
  const bounds = bound === undefined ? [] : [bound]
  const admitted = await admitAttempt(options, request, call, { entry, number, bounds, isLast })
  if ('skipped' in admitted) return admitted
  const attempt = createAttempt(call, {
    entry,
    number,
    bound,
    reservation: admitted.reservation,
    countTokens: admitted.countTokens,
    estimateInput: async () =>
      (await tokenizer.estimate(embedCall.inputs.join('\n'))) + countTokens(embedCall.tokens),
  })

  const observer = call.observer.startAttempt(entry, provider)
  let embeddings: Embeddings
  try {
    const result = await embedUntilAborted(
      provider,
      {
        ...embedCall,
        model: entry.model.id,
        onBehalfOf: request.accountId,
        original: isRaw ? original : undefined,
        trace: traceOf(request.call, observer),
      },
      request.signal,
    )
    embeddings = { ...result, inputTokens: saneCount(result.inputTokens) }
  } catch (error) {
    if (!request.signal.aborted) {
      const failure = asProviderFailure(error, log)
      observer.onEnd({ outcome: 'failed', kind: failure.kind })
      return { attempt, failure }
    }
    observer.onEnd({ outcome: 'cancelled' })
    await callAccounting.close(attempt, { outcome: 'cancelled' })
    throw request.signal.reason
  } finally {
    admitted.end()
  }
  observer.onEnd({ outcome: 'answered' })
  call.observer.onEmbeddings(embeddings)
  const usage = { inputTokens: embeddings.inputTokens, cachedInputTokens: null, outputTokens: 0 }
  const cost = await callAccounting.close(attempt, { outcome: 'answered', usage })
  return {
    response: {
      callId: call.id,
      provider: entry.provider,
      model: entry.model.id,
      attempts: number,
      cache: 'off',
      embeddings,
      cost,
    },
  }
}

/** The call with texts in place of tokens. Throws `invalid_input` for a number that is no token. The routes bound the number of tokens. */
async function withTexts(tokenizer: AccountTokenizer, call: EmbedCall): Promise<EmbedCall> {
  const { tokens } = call
  if (tokens === undefined) return call
  const texts = await tokenizer.decode(tokens)
  const inputs = texts.flatMap((text) => text ?? [])
  if (inputs.length === texts.length) return { ...call, inputs, tokens: undefined }
  throw invalidTokens(`must be tokens of cl100k_base; number ${texts.indexOf(undefined) + 1} has others`)
}

function countTokens(arrays: EmbedCall['tokens'] = []): number {
  return arrays.reduce((sum, { length }) => sum + length, 0)
}

/** `reason` completes the sentence "input …". */
function invalidTokens(reason: string): Failure {
  return kernelFailure('invalid_input', {
    message: `input ${reason}.`,
    problems: [{ path: 'input', message: reason, code: 'tokens' }],
  })
}

/** Rejects as soon as the signal aborts, even when the provider reacts to it late. */
async function embedUntilAborted(
  provider: ModelProvider,
  call: EmbedCall,
  signal: AbortSignal,
): Promise<Embeddings> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([provider.embed(call, signal), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

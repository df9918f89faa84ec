import { performance } from 'node:perf_hooks'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { Agent, type Dispatcher } from 'undici'
import { createBoundedFetch } from './bounded-fetch.ts'
import { explainSdkError } from './explain-sdk-error.ts'
import { createListedModels } from './listed-models.ts'
import { createPatience, type Patience, type PatienceLimits } from './patience.ts'
import type {
  EmbedCall,
  Embeddings,
  ModelCall,
  ModelProvider,
  ProvidedModel,
  ProviderProbe,
} from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { sdkCallOf } from './sdk-call.ts'
import { readSdkParts } from './sdk-parts.ts'
import { refuseLostWishes, refuseRuntimeFields, type WireNames, withoutNeutral } from './unsupported.ts'

/** What a provider in the cloud is made with. */
export interface CloudProviderOptions {
  readonly settings: { readonly baseUrl: string; readonly models: readonly string[] | undefined }
  readonly limits: PatienceLimits
  /** The key of now: from the environment, or one that is stored. */
  readonly readKey: () => Promise<string | undefined>
}

/** A provider in the cloud, which keeps connections. */
export interface CloudProvider extends ModelProvider, AsyncDisposable {}

/** How to reach the SDK's models. */
export interface SdkAddress {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
}

/** How to ask for a list. */
export interface ListAddress {
  readonly baseUrl: string
  readonly key: string | undefined
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal | undefined
}

/** What one provider in the cloud does not have in common with the others. */
export interface CloudDialect {
  readonly name: 'openai' | 'anthropic'
  /** For sentences. */
  readonly who: string
  /** Where nobody is welcome without a key. */
  readonly ownUrl: string
  readonly variables: { readonly key: string; readonly models: string }
  /** The header the key is sent in. */
  readonly keyHeader: string
  /** The header that says how many more requests are taken for now. */
  readonly rateHeader: string
  readonly wireNames: WireNames
  openModel(address: SdkAddress, model: string): Promise<LanguageModelV4>
  /** What the SDK is told besides; throws when the call cannot be honoured. */
  settle(call: ModelCall): Partial<LanguageModelV4CallOptions>
  readonly readThinking: (raw: unknown) => string | undefined
  /** Undefined when there is no list. */
  list(address: ListAddress): Promise<readonly ProvidedModel[] | undefined>
  embed(call: EmbedCall, address: SdkAddress, signal: AbortSignal): Promise<Embeddings>
}

export function createCloudProvider(dialect: CloudDialect, options: CloudProviderOptions): CloudProvider {
  const { name, who, ownUrl, variables } = dialect
  const { limits } = options
  const { baseUrl, models: named } = options.settings
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })
  const listed = createListedModels({
    initially: (named ?? []).map((id) => ({ ...bareModel(id, name), available: false })),
    async ask(key, signal) {
      const told = await dialect.list({ baseUrl, key, dispatcher: agent, signal })
      if (named === undefined) return told ?? []
      // Whoever names a model knows that it is there: some servers have more than they list.
      return named.map((id) => told?.find((model) => model.id === id) ?? bareModel(id, name))
    },
  })

  let rateLimitRemaining: number | null = null
  /** Many answers do not say; what one before them said is the best that is known. */
  function noteRateLimit(headers: Headers): void {
    const told = headers.get(dialect.rateHeader)
    if (told !== null && /^\d{1,9}$/.test(told)) rateLimitRemaining = Number(told)
  }

  /** The key, if one is wanted at all: a server of one's own may want none. */
  async function findKey(): Promise<{ readonly key: string | undefined; readonly isConfigured: boolean }> {
    const key = await options.readKey()
    return { key, isConfigured: key !== undefined || baseUrl !== ownUrl }
  }

  const noKey = `${who} has no key: set ${variables.key}, or store one.`

  async function demandKey(): Promise<string | undefined> {
    const found = await findKey().catch((cause: unknown) => {
      throw new ProviderFailure({ kind: 'unauthorized', message: `The key of ${who} cannot be read.`, cause })
    })
    if (!found.isConfigured) throw new ProviderFailure({ kind: 'unauthorized', message: noKey })
    return found.key
  }

  function addressFor(
    key: string | undefined,
    patience: Patience,
    answer: 'stream' | 'whole',
    checkBody: (body: Readonly<Record<string, unknown>>) => void,
  ): SdkAddress {
    const fetch = createBoundedFetch({
      who,
      dispatcher: agent,
      answer,
      without: key === undefined ? [dialect.keyHeader] : [],
      checkBody,
      onBytes: () => patience.heard(),
      onHeaders: noteRateLimit,
    })
    // The SDK looks into the environment when it is given none, which is not its to read.
    return { baseURL: baseUrl, apiKey: key ?? 'none', fetch }
  }

  return {
    name,
    async list() {
      const { key, isConfigured } = await findKey().catch(() => ({ key: undefined, isConfigured: false }))
      return isConfigured ? await listed.read(key) : []
    },
    async probe(signal) {
      const startedAt = performance.now()
      const passed = () => performance.now() - startedAt
      try {
        const { key, isConfigured } = await findKey()
        if (!isConfigured) return { state: 'unconfigured', problem: noKey, responseMs: null }
        const models = await listed.readNow(key, signal)
        return judgeList(
          models,
          passed(),
          `${who} lists no models: name those to use in ${variables.models}.`,
        )
      } catch (error) {
        if (!(error instanceof ProviderFailure)) {
          return { state: 'offline', problem: `The key of ${who} cannot be read.`, responseMs: null }
        }
        return judgeFailure(error, passed())
      }
    },
    async *stream(call, signal) {
      refuseRuntimeFields(who, call)
      const wanted = withoutNeutral(call)
      const more = dialect.settle(wanted)
      const key = await demandKey()
      using patience = createPatience(who, limits, signal)
      try {
        patience.signal.throwIfAborted()
        const address = addressFor(key, patience, 'stream', (body) =>
          refuseLostWishes(who, wanted, dialect.wireNames, body),
        )
        const model = await dialect.openModel(address, call.model)
        const { stream } = await model.doStream({ ...sdkCallOf(wanted, patience.signal), ...more })
        yield* readSdkParts({ who, stream, patience, readThinking: dialect.readThinking })
      } catch (error) {
        if (patience.signal.aborted) throw patience.signal.reason
        throw await explainSdkError(error, { who, key })
      }
    },
    async embed(call, signal) {
      const key = await demandKey()
      using patience = createPatience(who, limits, signal)
      try {
        patience.signal.throwIfAborted()
        return await dialect.embed(
          call,
          addressFor(key, patience, 'whole', () => {}),
          patience.signal,
        )
      } catch (error) {
        if (patience.signal.aborted) throw patience.signal.reason
        throw await explainSdkError(error, { who, key })
      }
    },
    rateLimitRemaining: () => rateLimitRemaining,
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

function judgeList(models: readonly ProvidedModel[], responseMs: number, none: string): ProviderProbe {
  return models.length === 0
    ? { state: 'degraded', problem: none, responseMs }
    : { state: 'online', problem: null, responseMs }
}

/** Of these we know that somebody answered. */
const answeredKinds: ReadonlySet<string> = new Set(['rate_limited', 'unauthorized', 'refused', 'malformed'])

function judgeFailure(failure: ProviderFailure, passedMs: number): ProviderProbe {
  const { kind, message } = failure
  return {
    state: kind === 'rate_limited' ? 'degraded' : 'offline',
    problem: message,
    responseMs: answeredKinds.has(kind) ? passedMs : null,
    ...(isBeyondDoubt(failure) && { isRefused: true }),
  }
}

/** Our key is not accepted, or nobody listens. */
function isBeyondDoubt({ kind, cause }: ProviderFailure): boolean {
  if (kind === 'unauthorized') return true
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** A model of which only the name is known. */
function bareModel(id: string, ownedBy: string): ProvidedModel {
  return {
    id,
    ownedBy,
    created: null,
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    contextLength: null,
    maxOutputTokens: null,
  }
}

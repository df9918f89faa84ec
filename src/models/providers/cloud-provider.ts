import { performance } from 'node:perf_hooks'
import { Agent } from 'undici'
import { writeJson } from '#kernel/http'
import { createBoundedFetch } from './bounded-fetch.ts'
import type { CloudDialect, ForwardedRequest, ForwardRule, SdkAddress } from './cloud-dialect.ts'
import { createModelListCache } from './fetch-model-list.ts'
import { type ForwardOptions, forwardRequest } from './forward.ts'
import { embeddingsReader, type Protocol, type ProtocolReader, protocolReaders } from './protocols.ts'
import type {
  ModelCall,
  ModelPart,
  ModelProvider,
  OriginalRequest,
  ProvidedModel,
  ProviderName,
  ProviderProbe,
  TokenUsage,
} from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { createResponseTimeout, type ResponseTimeout, type TimeoutLimits } from './response-timeout.ts'
import { sdkCallOf } from './sdk-call.ts'
import { explainSdkError, readSdkParts } from './sdk-parts.ts'
import { refuseDroppedOptions, refuseRuntimeFields, withoutDefaults } from './unsupported-options.ts'

export interface CloudProviderOptions {
  /** The name of a provider besides the usual one of its kind, such as `groq`. */
  readonly name?: ProviderName | undefined
  /** The name for failure messages; default: the name. */
  readonly label?: string | undefined
  readonly settings: CloudProviderSettings
  /** Changes with the settings of a provider that was added over the API. */
  readonly revision?: string | undefined
  readonly limits: TimeoutLimits
  /** The address of the provider itself, where it differs from that of the dialect. */
  readonly ownUrl?: string
  /** The current API key, from the environment or the database. */
  readonly readKey: () => Promise<string | undefined>
}

interface CloudProviderSettings {
  readonly baseUrl: string
  /** The models to use; undefined: all that the server lists. */
  readonly models: readonly string[] | undefined
  /** Further headers of every request, in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A provider with an HTTP API in the cloud, which keeps connections open. Disposing of it cancels its calls. */
export interface CloudProvider extends ModelProvider, AsyncDisposable {
  /** Closes the connections after the running calls. */
  close(): Promise<void>
}

const maxEmbeddingsBytes = 256 * 1024 * 1024

export function createCloudProvider(dialect: CloudDialect, options: CloudProviderOptions): CloudProvider {
  const { ownUrlProtocols = [] } = dialect
  const {
    limits,
    name = dialect.name,
    label = options.name ?? dialect.label,
    ownUrl = dialect.ownUrl,
  } = options
  const { baseUrl, models: named, headers: extraHeaders = {} } = options.settings
  const hints = hintsFor(dialect, options.name)
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })
  const listed = createModelListCache({
    initially: (named ?? []).map((id) => ({ ...bareModel(id, name), available: false })),
    async fetch(key, signal) {
      const headers = { ...dialect.headersOf(key), ...extraHeaders }
      const listedModels = await dialect.list({
        name,
        label,
        baseUrl,
        headers,
        key,
        dispatcher: agent,
        signal,
      })
      if (named === undefined) return listedModels ?? []
      // Configured models are used even if they are not listed: some servers list only a part of their models.
      return named.map((id) => listedModels?.find((model) => model.id === id) ?? bareModel(id, name))
    },
  })

  let rateLimitRemaining: number | null = null
  /** Responses without the header keep the last known value. */
  function readRateLimit(read: (name: string) => string | null): void {
    const remaining = read(dialect.rateHeader)
    if (remaining !== null && /^\d{1,9}$/.test(remaining)) rateLimitRemaining = Number(remaining)
  }

  /** The API key. A server other than the provider's own may need none. */
  async function findKey(): Promise<{ readonly key: string | undefined; readonly isConfigured: boolean }> {
    const key = await options.readKey()
    return { key, isConfigured: key !== undefined || baseUrl !== ownUrl }
  }

  function forwardRuleOf(protocol: Protocol): ForwardRule | undefined {
    const isMissing = baseUrl !== ownUrl && ownUrlProtocols.includes(protocol)
    return isMissing ? undefined : dialect.forwards[protocol]
  }

  const { origin, pathname: basePath } = new URL(baseUrl)
  const pathname = basePath === '/' ? '' : basePath
  const common = { label, origin, dispatcher: agent, limits, onHeaders: readRateLimit }

  const noKey = `${label} has no key: ${hints.key}.`

  async function requireKey(): Promise<string | undefined> {
    const found = await findKey().catch((cause: unknown) => {
      throw new ProviderFailure({
        kind: 'unauthorized',
        message: `The key of ${label} cannot be read.`,
        cause,
      })
    })
    if (!found.isConfigured) throw new ProviderFailure({ kind: 'unauthorized', message: noKey })
    return found.key
  }

  function addressFor(
    key: string | undefined,
    timeout: ResponseTimeout,
    mode: 'stream' | 'whole',
    prepareBody: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): SdkAddress {
    const fetch = createBoundedFetch({
      label,
      dispatcher: agent,
      mode,
      without: key === undefined && !(dialect.keyHeader in extraHeaders) ? [dialect.keyHeader] : [],
      prepareBody,
      onBytes: () => timeout.onActivity(),
      onHeaders: (headers) => readRateLimit((header) => headers.get(header)),
    })
    // Without an apiKey the SDK would read the environment.
    return { baseURL: baseUrl, apiKey: key ?? 'none', headers: { ...extraHeaders }, fetch }
  }

  function forward(
    call: ModelCall,
    original: OriginalRequest,
    rule: ForwardRule,
    signal: AbortSignal,
  ): AsyncIterable<ModelPart> {
    return forwardRequest({
      ...common,
      prepare: async () => {
        const key = await requireKey()
        const { path, body, hideUsage = false } = rule(call, original, baseUrl === ownUrl)
        const headers = { ...dialect.headersOf(key), ...original.headers, ...extraHeaders, ...call.trace }
        return { path: pathname + path, headers, key, body: writeJson(body, original.body), hideUsage }
      },
      stream: original.stream,
      reader: protocolReaders[original.protocol],
      signal,
    })
  }

  /** Calls a provider with another protocol through its SDK. */
  async function* translate(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelPart> {
    refuseRuntimeFields(label, call)
    const supported = withoutDefaults(dialect.adaptCall?.(call) ?? call)
    const sdkOptions = dialect.sdkOptions(supported, label)
    const key = await requireKey()
    using timeout = createResponseTimeout(label, limits, signal)
    try {
      timeout.signal.throwIfAborted()
      const address = addressFor(key, timeout, 'stream', (body) => {
        refuseDroppedOptions(label, supported, dialect.wireNames, dialect.samplingOf?.(body) ?? body)
        return dialect.adjustBody?.(supported, body) ?? body
      })
      const model = await dialect.openModel(address, call.model)
      const { stream } = await model.doStream({
        ...sdkCallOf(supported, timeout.signal),
        ...sdkOptions,
        headers: { ...call.trace },
      })
      yield* readSdkParts({ label, stream, timeout, readThinking: dialect.readThinking })
    } catch (error) {
      if (timeout.signal.aborted) throw timeout.signal.reason
      throw await explainSdkError(error, { label, key })
    }
  }

  const { countTokensPath, forwardEmbed } = dialect

  /** The response to a request that is not streamed, as the provider wrote it. */
  async function forwardWhole(
    { path, body }: ForwardedRequest,
    {
      original,
      headers,
      reader,
      maxBytes,
    }: Pick<ForwardOptions, 'reader' | 'maxBytes'> & {
      readonly original: Pick<OriginalRequest, 'body'>
      readonly headers: OriginalRequest['headers']
    },
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Buffer; readonly usage: TokenUsage | undefined }> {
    const parts = forwardRequest({
      ...common,
      prepare: async () => {
        const key = await requireKey()
        return {
          path: pathname + path,
          headers: { ...dialect.headersOf(key), ...headers, ...extraHeaders },
          key,
          body: writeJson(body, original.body),
          hideUsage: false,
        }
      },
      stream: false,
      reader,
      maxBytes,
      signal,
    })
    let bytes: Buffer = Buffer.alloc(0)
    let usage: TokenUsage | undefined
    for await (const part of parts) {
      if (part.type === 'raw') bytes = part.bytes
      else if (part.type === 'end') usage = part.usage
    }
    return { bytes, usage }
  }

  async function countTokens(
    { model, body, headers }: Parameters<NonNullable<ModelProvider['countTokens']>>[0],
    signal: AbortSignal,
  ): Promise<{ readonly input_tokens: number }> {
    const request = { path: countTokensPath ?? '', body: { ...body, model } }
    const { bytes } = await forwardWhole(
      request,
      { original: { body }, headers, reader: tokenCountReader },
      signal,
    )
    // The reader has checked that this is JSON with a number.
    return JSON.parse(bytes.toString('utf8')) as { input_tokens: number }
  }

  return {
    name,
    url: baseUrl,
    ...(countTokensPath !== undefined && { countTokens }),
    speaks(protocol) {
      if (protocol === 'openai.embeddings') return forwardEmbed !== undefined
      return protocol !== 'ollama.embed' && forwardRuleOf(protocol) !== undefined
    },
    // A key that cannot be read was set up, too.
    isConfigured: () =>
      findKey().then(
        (found) => found.isConfigured,
        () => true,
      ),
    async list() {
      const { key, isConfigured } = await findKey().catch(() => ({ key: undefined, isConfigured: false }))
      return isConfigured ? await listed.read(key) : []
    },
    async probe(signal) {
      const startedAt = performance.now()
      const elapsedMs = () => performance.now() - startedAt
      try {
        const { key, isConfigured } = await findKey()
        if (!isConfigured) return { state: 'unconfigured', problem: noKey, responseMs: null }
        const models = await listed.refresh(key, signal)
        return probeOfList(models, elapsedMs(), `${label} lists no models: ${hints.models}.`)
      } catch (error) {
        if (!(error instanceof ProviderFailure)) {
          return { state: 'offline', problem: `The key of ${label} cannot be read.`, responseMs: null }
        }
        return probeOfFailure(error, elapsedMs())
      }
    },
    stream(call, signal) {
      const { original } = call
      const rule = original && forwardRuleOf(original.protocol)
      return original !== undefined && rule !== undefined
        ? forward(call, original, rule, signal)
        : translate(call, signal)
    },
    async embed(call, signal) {
      const { original } = call
      if (original !== undefined && forwardEmbed !== undefined) {
        const reading = {
          original,
          headers: call.trace,
          reader: embeddingsReader,
          maxBytes: maxEmbeddingsBytes,
        }
        const { bytes, usage } = await forwardWhole(forwardEmbed(call, original), reading, signal)
        return { vectors: [], inputTokens: usage?.inputTokens ?? null, raw: bytes }
      }
      const key = await requireKey()
      using timeout = createResponseTimeout(label, limits, signal)
      try {
        timeout.signal.throwIfAborted()
        return await dialect.embed(
          call,
          addressFor(key, timeout, 'whole', (body) => body),
          { label, signal: timeout.signal },
        )
      } catch (error) {
        if (timeout.signal.aborted) throw timeout.signal.reason
        throw await explainSdkError(error, { label, key })
      }
    },
    rateLimitRemaining: () => rateLimitRemaining,
    ...(options.revision !== undefined && { revision: options.revision }),
    close: () => agent.close(),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/** Reads a response to the counting of tokens. */
const tokenCountReader: ProtocolReader = {
  readEvent: () => undefined,
  readWhole: ({ input_tokens: tokens }) => (Number.isSafeInteger(tokens) ? { outputBytes: 0 } : undefined),
}

/** How to complete the settings of a provider. */
function hintsFor({ variables }: CloudDialect, name: ProviderName | undefined) {
  if (name === undefined) {
    return { key: `set ${variables.key}, or store one`, models: `name those to use in ${variables.models}` }
  }
  return {
    key: 'store one in the console or over the API',
    models: 'check the base URL, or name the models to use',
  }
}

function probeOfList(models: readonly ProvidedModel[], responseMs: number, none: string): ProviderProbe {
  return models.length === 0
    ? { state: 'degraded', problem: none, responseMs }
    : { state: 'online', problem: null, responseMs }
}

/** Failures after a response of the provider. */
const respondedKinds: ReadonlySet<string> = new Set(['rate_limited', 'unauthorized', 'refused', 'malformed'])

function probeOfFailure(failure: ProviderFailure, passedMs: number): ProviderProbe {
  const { kind, message } = failure
  return {
    state: kind === 'rate_limited' ? 'degraded' : 'offline',
    problem: message,
    responseMs: respondedKinds.has(kind) ? passedMs : null,
    ...(isCertain(failure) && { isRefused: true }),
  }
}

/** The API key is not accepted, or the connection was refused. */
function isCertain({ kind, cause }: ProviderFailure): boolean {
  if (kind === 'unauthorized') return true
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

/** A model with an unknown description. */
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

import type { Database } from '#kernel/database'
import { createMetrics, type Logger, type Metrics } from '#kernel/telemetry'
import type { Budgets } from '../../src/models/budgets/budgets.ts'
import type { CatalogueEntry } from '../../src/models/gateway/catalogue-entry.ts'
import type { ChatRequest, EmbedRequest, Gateway } from '../../src/models/gateway/contract.ts'
import { createGateway } from '../../src/models/gateway/gateway.ts'
import { createResponseCache, type ResponseCacheOptions } from '../../src/models/gateway/response-cache.ts'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import type {
  ModelCall,
  ModelPart,
  ModelProvider,
  ProviderName,
} from '../../src/models/providers/provider.ts'
import { createTokenizer } from '../../src/models/providers/tokenizer.ts'
import type { CallRecord } from '../../src/models/usage/call-record.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import type { UsageRecorder } from '../../src/models/usage/usage-recorder.ts'
import { openCallAccounting, quiet } from '../database/models-accounting.ts'
import { createCallAccountingDatabase } from '../database/models-accounting-database.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { registryOf } from '../support/provider-registry.ts'
import type { TestDatabase } from '../support/test-database.ts'

/** Dollars for a million tokens: 0.15 in, 0.075 remembered, 0.60 out. */
export const miniPrice = {
  source: 'table',
  version: '1',
  prices: { input: 150_000, cachedInput: 75_000, output: 600_000 },
} as const satisfies ModelPrice

const unpriced: ModelPrice = { source: 'unpriced' }

/** A gateway with its own database and providers, and `ada` as the calling account. */
export interface GatewayScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly gateway: Gateway
  readonly metrics: Metrics
  readonly budget: Budgets
  readonly usage: UsageRecorder
  chatRequest(fields?: Partial<Omit<ChatRequest, 'call'>> & { call?: Partial<ModelCall> }): ChatRequest
  embedRequest(fields?: Partial<EmbedRequest>): EmbedRequest
  /** Every recorded call, the earliest first. */
  calls(): Promise<readonly CallRecord[]>
  spent(): Promise<{ readonly spent: number; readonly reserved: number }>
  /** Statements that were sent so far. */
  statements(): number
}

export interface SceneOptions extends Partial<ResponseCacheOptions> {
  readonly providers: readonly ModelProvider[]
  /** The prices of the models of a provider. Default: unpriced. */
  readonly prices?: Partial<Record<ProviderName, ModelPrice>>
  readonly microDollarsPerDay?: number
  readonly log?: Logger
  readonly defaultModel?: string
  readonly retries?: number
  readonly openaiDefaultModel?: string | undefined
  readonly anthropicDefaultModel?: string | undefined
}

export async function openGatewayScene(options: SceneOptions): Promise<GatewayScene> {
  const { providers, prices = {}, microDollarsPerDay = 1_000_000, log = quiet } = options
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createCallAccountingDatabase())
  let statements = 0
  const counting: Database = {
    ...database,
    query(text, values) {
      statements += 1
      return database.query(text, values)
    },
  }
  const { budget, usage } = closing.use(openCallAccounting(counting))
  const metrics = createMetrics({ watchProcess: false })
  const gateway = createGateway({
    providers: registryOf(providers, {
      openai: { defaultModel: options.openaiDefaultModel },
      anthropic: { defaultModel: options.anthropicDefaultModel },
    }),
    catalogue: { find: () => listEntries(providers, prices) },
    cache: createResponseCache({ cacheBytes: 1_000_000, cacheTtlMs: 60_000, ...options }),
    usage,
    log,
    metrics,
    settings: {
      defaultModel: options.defaultModel,
      retries: options.retries ?? 0,
      defaultOutputTokens: 16_384,
    },
    tokenizer: closing.use(createTokenizer({ log })),
  })
  const askedBy = () => ({
    accountId: 'ada',
    budget: budget.of({ accountId: 'ada', microDollarsPerDay }),
    fallback: 'none' as const,
    signal: new AbortController().signal,
    source: 'gateway',
  })
  const opened = closing.move()
  return {
    database,
    gateway,
    metrics,
    budget,
    usage,
    chatRequest: ({ call, ...fields } = {}) => ({
      ...askedBy(),
      cache: 'use',
      ...fields,
      call: { model: 'gpt-4o-mini', kind: 'chat', messages: [{ role: 'user', content: 'Hello' }], ...call },
    }),
    embedRequest: (fields = {}) => ({
      ...askedBy(),
      call: { model: 'text-embedding-3-small', inputs: ['one', 'two'] },
      ...fields,
    }),
    async calls() {
      const { calls } = await createUsage({ database }).calls({ limit: 1000 })
      return calls.toReversed()
    },
    spent: () => budget.spentToday('ada'),
    statements: () => statements,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function listEntries(
  providers: readonly ModelProvider[],
  prices: Partial<Record<ProviderName, ModelPrice>>,
): Promise<CatalogueEntry[]> {
  const listed = await Promise.all(
    providers.map(async (provider) =>
      (await provider.list()).map((model) => ({
        provider: provider.name,
        model,
        price: prices[provider.name] ?? unpriced,
      })),
    ),
  )
  return listed.flat()
}

/** OpenAI's provider and its fake server. */
export async function startOpenAi(
  limits = { firstPartMs: 10_000, stallMs: 10_000 },
): Promise<AsyncDisposable & { readonly server: OpenAiServer; readonly provider: ModelProvider }> {
  await using closing = new AsyncDisposableStack()
  const server = closing.use(await startOpenAiServer())
  const provider = closing.use(
    createOpenAiProvider({
      settings: { baseUrl: server.baseUrl, models: undefined },
      limits,
      readKey: async () => 'sk-test',
    }),
  )
  const opened = closing.move()
  return { server, provider, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** A provider with scripted responses, for cases whose timing a server cannot produce. */
export function provide(
  name: ProviderName,
  id: string,
  answer: Pick<ModelProvider, 'stream'> & Partial<Pick<ModelProvider, 'embed'>>,
): ModelProvider & { readonly asked: ModelCall[] } {
  const asked: ModelCall[] = []
  const model = {
    id,
    ownedBy: 'test',
    created: null,
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: [],
    contextLength: null,
    maxOutputTokens: null,
  }
  return {
    name,
    asked,
    list: async () => [model],
    probe: async () => ({ state: 'online', problem: null, responseMs: 1 }),
    stream(call, signal) {
      asked.push(call)
      return answer.stream(call, signal)
    },
    embed: answer.embed ?? (async () => ({ vectors: [], inputTokens: null })),
  }
}

export const text = (words: string): ModelPart => ({ type: 'text', text: words })

export const end = (inputTokens: number | null, outputTokens: number | null): ModelPart => ({
  type: 'end',
  finish: 'stop',
  usage: { inputTokens, cachedInputTokens: null, outputTokens },
})

/** A response of these parts; an error is thrown at its position. */
export async function* say(...parts: readonly (ModelPart | Error)[]): AsyncGenerator<ModelPart, void, void> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield part
  }
}

export async function read(parts: AsyncIterable<ModelPart>): Promise<string> {
  let words = ''
  for await (const part of parts) if (part.type === 'text') words += part.text
  return words
}

/** Stops reading after the first part. */
export async function readFirst(parts: AsyncIterable<ModelPart>): Promise<ModelPart | undefined> {
  for await (const part of parts) return part
  return undefined
}

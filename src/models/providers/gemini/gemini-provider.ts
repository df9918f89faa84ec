import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import type { CloudDialect, EmbedOptions, ListAddress, SdkAddress } from '../cloud-dialect.ts'
import { type CloudProvider, type CloudProviderOptions, createCloudProvider } from '../cloud-provider.ts'
import { fetchModelList } from '../fetch-model-list.ts'
import type { EmbedCall, Embeddings, ProvidedModel } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { geminiUrl } from './settings.ts'

const pageSize = 1000
const maxPages = 10

const modelPage = createCheck(
  Type.Object({
    models: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
          inputTokenLimit: Type.Optional(Type.Unknown()),
          outputTokenLimit: Type.Optional(Type.Unknown()),
          supportedGenerationMethods: Type.Optional(Type.Array(Type.String())),
          thinking: Type.Optional(Type.Unknown()),
        }),
        { maxItems: pageSize },
      ),
    ),
    nextPageToken: Type.Optional(Type.String({ maxLength: 4096 })),
  }),
)

async function listGeminiModels(address: ListAddress): Promise<readonly ProvidedModel[] | undefined> {
  const byId = new Map<string, ProvidedModel>()
  let token: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      ...(token !== undefined && { pageToken: token }),
    })
    const answer = await fetchModelList({
      ...address,
      url: `${address.baseUrl}/models?${query.toString()}`,
    })
    if (answer === undefined) return undefined
    if (!modelPage.Check(answer)) {
      const message = `${address.label} sent an invalid model list.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    for (const model of answer.models ?? []) {
      const described = describe(model, address.name)
      if (described.capabilities.length > 0) byId.set(described.id, described)
    }
    token = answer.nextPageToken || undefined
    if (token === undefined) break
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

interface Listed {
  readonly name: string
  readonly inputTokenLimit?: unknown
  readonly outputTokenLimit?: unknown
  readonly supportedGenerationMethods?: readonly string[]
  readonly thinking?: unknown
}

function describe(model: Listed, providerName: string): ProvidedModel {
  return {
    id: model.name.replace(/^models\//, ''),
    ownedBy: providerName,
    created: null,
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: capabilitiesOf(model),
    contextLength: countOf(model.inputTokenLimit),
    maxOutputTokens: countOf(model.outputTokenLimit),
  }
}

/** Models with neither method generate pictures, speech or video, which the gateway does not call. */
function capabilitiesOf({ supportedGenerationMethods = [], thinking }: Listed): readonly string[] {
  const isChat = supportedGenerationMethods.includes('generateContent')
  const embeds = supportedGenerationMethods.some((method) => /^(batchE|e)mbedContents?$/.test(method))
  return [
    ...(isChat ? ['completion', 'tools', 'vision'] : []),
    ...(isChat && thinking === true ? ['thinking'] : []),
    ...(embeds ? ['embedding'] : []),
  ]
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

async function embedWithGemini(
  { model, inputs, dimensions }: EmbedCall,
  address: SdkAddress,
  { label, signal }: EmbedOptions,
): Promise<Embeddings> {
  const { createGoogle } = await import('@ai-sdk/google')
  const { embeddings, usage } = await createGoogle(address)
    .embeddingModel(model)
    .doEmbed({
      values: [...inputs],
      abortSignal: signal,
      ...(dimensions !== undefined && { dimensions }),
    })
  if (embeddings.length !== inputs.length) {
    const message = `${label} did not send one vector for each input.`
    throw new ProviderFailure({ kind: 'malformed', message })
  }
  return { vectors: embeddings, inputTokens: usage?.tokens ?? null }
}

/** Gemini, or any server with a compatible API: content generation, embeddings and model list. */
export function createGeminiProvider(options: CloudProviderOptions): CloudProvider {
  return createCloudProvider(gemini, options)
}

const gemini: CloudDialect = {
  name: 'gemini',
  label: 'Gemini',
  ownUrl: geminiUrl,
  variables: { key: 'GEMINI_API_KEY', models: 'GEMINI_MODELS' },
  keyHeader: 'x-goog-api-key',
  // Gemini does not report the rest of its rate limit.
  rateHeader: 'x-ratelimit-remaining-requests',
  wireNames: {
    temperature: 'temperature',
    topP: 'topP',
    topK: 'topK',
    frequencyPenalty: 'frequencyPenalty',
    presencePenalty: 'presencePenalty',
    seed: 'seed',
  },
  samplingOf: ({ generationConfig }) =>
    typeof generationConfig === 'object' && generationConfig !== null ? { ...generationConfig } : {},
  forwards: {},
  headersOf: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
  async openModel(address, model) {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle(address).chat(model)
  },
  // Without this, models send no summary of their reasoning.
  sdkOptions: ({ reasoningEffort }) =>
    reasoningEffort === undefined || reasoningEffort === 'none'
      ? {}
      : { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } },
  readThinking: () => undefined,
  list: listGeminiModels,
  embed: embedWithGemini,
}

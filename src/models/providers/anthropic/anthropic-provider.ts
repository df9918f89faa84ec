import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import type { CloudDialect, ListAddress } from '../cloud-dialect.ts'
import { type CloudProvider, type CloudProviderOptions, createCloudProvider } from '../cloud-provider.ts'
import { fetchModelList } from '../fetch-model-list.ts'
import type { ModelCall, ProvidedModel } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { unsupportedBy } from '../unsupported-options.ts'
import { fitThinking } from './fit-thinking.ts'
import { anthropicUrl } from './settings.ts'

const apiVersion = '2023-06-01'
const pageSize = 1000
const maxPages = 10

const modelPage = createCheck(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
        created_at: Type.Optional(Type.Unknown()),
        max_input_tokens: Type.Optional(Type.Unknown()),
        max_tokens: Type.Optional(Type.Unknown()),
        capabilities: Type.Optional(Type.Unknown()),
      }),
      { maxItems: pageSize },
    ),
    has_more: Type.Optional(Type.Boolean()),
    last_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
)

async function listAnthropicModels(address: ListAddress): Promise<readonly ProvidedModel[] | undefined> {
  const byId = new Map<string, ProvidedModel>()
  let after: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const answer = await fetchPage(address, after)
    if (answer === undefined) return undefined
    if (!modelPage.Check(answer)) {
      const message = `${address.label} sent an invalid model list.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    for (const model of answer.data) byId.set(model.id, describe(model, address.name))
    after = answer.has_more === true ? (answer.last_id ?? undefined) : undefined
    if (after === undefined) break
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

async function fetchPage(address: ListAddress, after: string | undefined): Promise<unknown> {
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(after !== undefined && { after_id: after }),
  })
  return await fetchModelList({ ...address, url: `${address.baseUrl}/models?${query.toString()}` })
}

interface Listed {
  readonly id: string
  readonly created_at?: unknown
  readonly max_input_tokens?: unknown
  readonly max_tokens?: unknown
  readonly capabilities?: unknown
}

/** Newer servers also report token limits and capabilities. */
function describe(model: Listed, providerName: string): ProvidedModel {
  return {
    id: model.id,
    ownedBy: providerName,
    created: epochSecondsOf(model.created_at),
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: ['completion', 'tools', ...namedCapabilities(model.capabilities)],
    contextLength: countOf(model.max_input_tokens),
    maxOutputTokens: countOf(model.max_tokens),
  }
}

/** The capabilities that models of the cluster have as well, by the same names. */
function namedCapabilities(capabilities: unknown): readonly string[] {
  // Every model of the older lists, which have no capabilities, reads images.
  if (capabilities === undefined) return ['vision']
  const supports = (name: string) => {
    const capability = isRecord(capabilities) ? capabilities[name] : undefined
    return isRecord(capability) && capability['supported'] === true
  }
  return [...(supports('thinking') ? ['thinking'] : []), ...(supports('image_input') ? ['vision'] : [])]
}

function epochSecondsOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) || ms <= 0 ? null : Math.floor(ms / 1000)
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Anthropic, or any server with a compatible API: messages and model list. It has no embeddings. */
export function createAnthropicProvider(options: CloudProviderOptions): CloudProvider {
  return createCloudProvider(anthropic, options)
}

/** The API has JSON output only by a schema; without one, the model is told to write JSON. */
function withJsonInstruction(call: ModelCall): ModelCall {
  if (call.format === undefined || call.format.schema !== undefined) return call
  const content = 'Respond with one JSON object only, without any text around it.'
  return { ...call, format: undefined, messages: [{ role: 'system', content }, ...call.messages] }
}

const anthropic: CloudDialect = {
  name: 'anthropic',
  label: 'Anthropic',
  ownUrl: anthropicUrl,
  variables: { key: 'ANTHROPIC_API_KEY', models: 'ANTHROPIC_MODELS' },
  keyHeader: 'x-api-key',
  rateHeader: 'anthropic-ratelimit-requests-remaining',
  // The API has no penalties and no seed.
  wireNames: { temperature: 'temperature', topP: 'top_p', topK: 'top_k' },
  forwards: {
    'anthropic.messages': ({ model, maxTokens }, { body }) => ({
      path: '/messages',
      body: { ...body, model, max_tokens: maxTokens ?? body['max_tokens'] },
    }),
  },
  countTokensPath: '/messages/count_tokens',
  headersOf: (key) => ({ 'anthropic-version': apiVersion, ...(key !== undefined && { 'x-api-key': key }) }),
  async openModel(address, model) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(address).messages(model)
  },
  adaptCall: withJsonInstruction,
  sdkOptions({ parallelToolCalls }) {
    return parallelToolCalls === undefined
      ? {}
      : { providerOptions: { anthropic: { disableParallelToolUse: !parallelToolCalls } } }
  },
  adjustBody: fitThinking,
  readThinking: () => undefined,
  list: listAnthropicModels,
  async embed(_call, _address, { label }) {
    throw unsupportedBy(label, 'it has no embeddings')
  },
}

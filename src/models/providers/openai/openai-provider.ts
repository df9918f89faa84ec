import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import type { CloudDialect, EmbedOptions, ListAddress, SdkAddress } from '../cloud-dialect.ts'
import { type CloudProvider, type CloudProviderOptions, createCloudProvider } from '../cloud-provider.ts'
import { fetchModelList } from '../fetch-model-list.ts'
import type {
  EmbedCall,
  Embeddings,
  JsonSchema,
  ModelCall,
  OriginalRequest,
  ProvidedModel,
} from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { openAiUrl } from './settings.ts'

/** Only the id is required: compatible servers omit the other fields or send further ones. */
const modelList = createCheck(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
        created: Type.Optional(Type.Unknown()),
        owned_by: Type.Optional(Type.Unknown()),
        max_model_len: Type.Optional(Type.Unknown()),
        context_length: Type.Optional(Type.Unknown()),
        meta: Type.Optional(Type.Unknown()),
      }),
      { maxItems: 10_000 },
    ),
  }),
)

async function listOpenAiModels(address: ListAddress): Promise<readonly ProvidedModel[] | undefined> {
  const { name, label, baseUrl } = address
  const answer = await fetchModelList({ ...address, url: `${baseUrl}/models` })
  if (answer === undefined) return undefined
  if (!modelList.Check(answer)) {
    throw new ProviderFailure({
      kind: 'malformed',
      message: `${label} sent an invalid model list.`,
    })
  }
  const byId = new Map(answer.data.map((model) => [model.id, describe(model, name)]))
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

interface Listed {
  readonly id: string
  readonly created?: unknown
  readonly owned_by?: unknown
  readonly max_model_len?: unknown
  readonly context_length?: unknown
  readonly meta?: unknown
}

function describe(model: Listed, providerName: string): ProvidedModel {
  const { id, created, owned_by: ownedBy } = model
  return {
    id,
    ownedBy: typeof ownedBy === 'string' && /^[\w .:/-]{1,64}$/.test(ownedBy) ? ownedBy : providerName,
    created: countOf(created),
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    // The list has no capabilities; embedding models are recognised by their names.
    capabilities: /(^|[-/:_])embed/i.test(id) ? ['embedding'] : [],
    contextLength: contextLengthOf(model),
    maxOutputTokens: shortOutput.test(id) ? 4096 : null,
  }
}

/** Old models of OpenAI refuse a limit above 4,096 output tokens. The list has no output limits. */
const shortOutput = /(^|\/)(gpt-3\.5-turbo|gpt-4-turbo|gpt-4-\d{4}|gpt-4-vision|gpt-4o-2024-05-13|gpt-4$)/

/** OpenAI itself does not send it; vLLM, routers and llama.cpp do, in different fields. */
function contextLengthOf({ max_model_len, context_length, meta }: Listed): number | null {
  const trained = typeof meta === 'object' && meta !== null && 'n_ctx_train' in meta ? meta.n_ctx_train : null
  return countOf(max_model_len) ?? countOf(context_length) ?? countOf(trained)
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

/*
 * In strict mode every object must be closed, all its properties must be required, and only these keywords are supported; the
 * API rejects any other schema. Such a schema is sent without strict mode, as guidance for the model.
 */
const strictKeywords = new Set([
  '$defs',
  '$ref',
  '$schema',
  'additionalProperties',
  'anyOf',
  'const',
  'definitions',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'title',
  'type',
])

export function isStrictSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && fits(schema)
}

function fits(schema: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((word) => strictKeywords.has(word))) return false
  const { properties, items, anyOf, $defs, definitions } = schema
  if ((schema['type'] === 'object' || properties !== undefined) && !isClosed(schema)) return false
  const inside = [
    ...valuesOf(properties),
    ...valuesOf($defs),
    ...valuesOf(definitions),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ]
  return inside.every(fits)
}

function isClosed({
  properties,
  required,
  additionalProperties,
}: Readonly<Record<string, unknown>>): boolean {
  const names = isRecord(properties) ? Object.keys(properties) : []
  const demanded = new Set(Array.isArray(required) ? required : [])
  return additionalProperties === false && names.every((name) => demanded.has(name))
}

function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The indexes define the order of the vectors, which the SDK ignores. */
const indexes = createCheck(
  Type.Object({ data: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }) })) }),
)

async function embedWithOpenAi(
  { model, inputs, dimensions, trace }: EmbedCall,
  address: SdkAddress,
  { label, signal: abortSignal }: EmbedOptions,
): Promise<Embeddings> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const { embeddings, usage, response } = await createOpenAI(address)
    .embeddingModel(model)
    .doEmbed({
      values: [...inputs],
      abortSignal,
      headers: { ...trace },
      ...(dimensions !== undefined && { dimensions }),
    })
  const positions = indexes.Check(response?.body) ? response.body.data.map(({ index }) => index) : []
  const vectors = embeddings.map((_vector, input) => embeddings[positionOf(positions, input)])
  if (vectors.length !== inputs.length || vectors.includes(undefined)) {
    const message = `${label} did not send one vector for each input.`
    throw new ProviderFailure({ kind: 'malformed', message })
  }
  return {
    vectors: vectors.flatMap((vector) => (vector === undefined ? [] : [vector])),
    inputTokens: usage?.tokens ?? null,
  }
}

/** The position of the vector of an input in the response. */
function positionOf(positions: readonly number[], input: number): number {
  return positions.length === 0 ? input : positions.indexOf(input)
}

const chunk = createCheck(
  Type.Object({
    choices: Type.Array(
      Type.Object({
        delta: Type.Object({
          reasoning_content: Type.Optional(Type.Unknown()),
          reasoning: Type.Optional(Type.Unknown()),
        }),
      }),
    ),
  }),
)

/** The reasoning in a chunk. OpenAI itself sends none; compatible servers do, in one of two fields. */
function readReasoning(raw: unknown): string | undefined {
  if (!chunk.Check(raw)) return undefined
  const delta = raw.choices[0]?.delta
  const text = delta?.reasoning_content ?? delta?.reasoning
  return typeof text === 'string' ? text : undefined
}

/** Labels for the log of this platform, which are not sent to the provider. */
const labels = new Set(['user', 'safety_identifier', 'metadata'])

function withoutLabels(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !labels.has(name)))
}

/** The original body with the model and the token limit of the call. Streams always report their usage. */
function forwardedBody(call: ModelCall, { body, stream }: OriginalRequest, limitField: string) {
  const asked = isRecord(body['stream_options']) ? body['stream_options'] : {}
  return {
    body: {
      ...withoutLabels(body),
      model: call.model,
      ...(call.maxTokens !== undefined && { [limitField]: call.maxTokens }),
      ...(stream && { stream_options: { ...asked, include_usage: true } }),
    },
    hideUsage: asked['include_usage'] !== true,
  }
}

/** The field of the token limit: that of the caller, else the one that all models of the server support. */
function limitFieldOf({ body }: OriginalRequest, isOwnUrl: boolean): string {
  if ('max_completion_tokens' in body) return 'max_completion_tokens'
  return isOwnUrl && !('max_tokens' in body) ? 'max_completion_tokens' : 'max_tokens'
}

const encryptedReasoning = 'reasoning.encrypted_content'

/** Models that reason, whose reasoning OpenAI returns encrypted. It refuses the request of other models for it. */
const reasoningModel = /^(o\d|gpt-[5-9]|codex)(?!.*-chat)/

/** OpenAI stores nothing of a response, so a later request has to contain the reasoning of this one. */
function forwardedResponsesBody(call: ModelCall, { body }: OriginalRequest) {
  const included: readonly unknown[] = Array.isArray(body['include']) ? body['include'] : []
  const needsReasoning = reasoningModel.test(call.model) && !included.includes(encryptedReasoning)
  return {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !labels.has(name))),
    model: call.model,
    ...(call.maxTokens !== undefined && { max_output_tokens: call.maxTokens }),
    ...(needsReasoning && { include: [...included, encryptedReasoning] }),
  }
}

/** OpenAI, or any server with a compatible API: chat completions, embeddings and model list. */
export function createOpenAiProvider(options: CloudProviderOptions): CloudProvider {
  return createCloudProvider(openAi, options)
}

const openAi: CloudDialect = {
  name: 'openai',
  label: 'OpenAI',
  ownUrl: openAiUrl,
  variables: { key: 'OPENAI_API_KEY', models: 'OPENAI_MODELS' },
  keyHeader: 'authorization',
  rateHeader: 'x-ratelimit-remaining-requests',
  wireNames: {
    temperature: 'temperature',
    topP: 'top_p',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    seed: 'seed',
  },
  forwards: {
    'openai.chat': (call, original, isOwnUrl) => ({
      path: '/chat/completions',
      ...forwardedBody(call, original, limitFieldOf(original, isOwnUrl)),
    }),
    'openai.completions': (call, original) => ({
      path: '/completions',
      ...forwardedBody(call, original, 'max_tokens'),
    }),
    'openai.responses': (call, original) => ({
      path: '/responses',
      body: forwardedResponsesBody(call, original),
    }),
  },
  ownUrlProtocols: ['openai.responses'],
  forwardEmbed: ({ model }, { body }) => ({ path: '/embeddings', body: { ...withoutLabels(body), model } }),
  headersOf: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  async openModel(address, model) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI(address).chat(model)
  },
  sdkOptions({ format, parallelToolCalls }) {
    const openai = {
      ...(format?.schema !== undefined && { strictJsonSchema: isStrictSchema(format.schema) }),
      ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    }
    return { includeRawChunks: true, providerOptions: { openai } }
  },
  readThinking: readReasoning,
  list: listOpenAiModels,
  embed: embedWithOpenAi,
}

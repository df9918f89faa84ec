import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { type AuditContext, auditContextOf } from '../audit-context.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BuiltinRole } from '../gateway/builtin-role.ts'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import type { ProviderKeys } from '../provider-keys/provider-keys.ts'
import { type ProviderRegistry, providerNamePattern, reservedProviderNames } from '../providers/registry.ts'
import type { TimeoutLimits } from '../providers/response-timeout.ts'
import { chooseDefaultModel } from '../stored-providers/choose-default-model.ts'
import type { ProviderConfig, StoredProvider } from '../stored-providers/stored-provider.ts'
import { storedKinds } from '../stored-providers/stored-provider.ts'
import { maxStoredProviders, type StoredProviders } from '../stored-providers/stored-providers.ts'
import { testProvider } from '../stored-providers/test-provider.ts'
import { type GivenSettings, readBaseUrl, readHeaders, readProviderChanges } from './provider-input.ts'
import {
  anyProvider,
  type DescribeProviders,
  ProviderResponse,
  unknownProvider,
} from './provider-response.ts'
import { ApiKey } from './providers.ts'

export interface StoredProviderRoutesOptions {
  readonly providers: ProviderRegistry
  readonly stored: StoredProviders
  readonly describe: DescribeProviders
  readonly keys: Pick<ProviderKeys, 'read' | 'reload'>
  readonly limits: TimeoutLimits
  readonly catalogue: Pick<Catalogue, 'findNow'>
  /** The model that `auto` stands for. */
  readonly findAuto: () => Promise<CatalogueEntry | undefined>
  readonly builtinRole: () => Promise<BuiltinRole>
}

const access = { permission: 'administer llm' } as const

const modelId = { minLength: 1, maxLength: 256, pattern: '^[^\\p{Cc}]*$', 'x-means': 'must be a model id' }

const Kind = Type.Enum([...storedKinds], {
  description:
    'The protocol of the server: `openai` for OpenAI and compatible servers (vLLM, Groq, OpenRouter, Azure), `anthropic`, or `gemini`.',
})
const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'The address before the paths of the API, such as `https://api.groq.com/openai/v1`. Addresses of the local network are allowed; redirects are not followed.',
})
const Headers = Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 4096 }), {
  maxProperties: 20,
  description: 'Further request headers, stored encrypted. No response contains their values.',
})
const ModelIds = Type.Array(Type.String(modelId), {
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
  description: 'The models to use, for a server that lists too many models or none.',
})
const DefaultModel = Type.String({ ...modelId, description: 'A model that `auto` and fallbacks may use.' })
const PriceList = Type.String({
  pattern: '^[a-z0-9_-]{1,64}$',
  'x-means': 'must be a name of lower-case letters, digits, - and _',
  description:
    'The price list, such as `groq` or `openrouter`, or `none`; chosen by the address if left out. Servers in the local network are free without one.',
})
const Enabled = Type.Boolean({ description: 'Whether models of the provider can be called. Default: true.' })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const NewProvider = Type.Object(
  {
    name: Type.String({
      pattern: providerNamePattern,
      'x-means': 'must be 1 to 32 lower-case letters, digits, - and _',
      description: 'The name, which is part of model names: `groq/llama-3.3-70b-versatile`.',
    }),
    kind: Kind,
    base_url: BaseUrl,
    api_key: Type.Optional(ApiKey),
    headers: orNull(Headers),
    model_ids: orNull(ModelIds),
    default_model: orNull(DefaultModel),
    price_list: orNull(PriceList),
    enabled: Type.Optional(Enabled),
  },
  { additionalProperties: false },
)

const ProviderChange = Type.Object(
  {
    kind: Type.Optional(Kind),
    base_url: Type.Optional(BaseUrl),
    api_key: Type.Optional(ApiKey),
    headers: orNull(Headers),
    model_ids: orNull(ModelIds),
    default_model: orNull(DefaultModel),
    price_list: orNull(PriceList),
    enabled: Type.Optional(Enabled),
  },
  { additionalProperties: false, minProperties: 1, description: 'Null removes a setting.' },
)

const TestedProvider = Type.Object(
  {
    kind: Kind,
    base_url: BaseUrl,
    api_key: Type.Optional(ApiKey),
    headers: orNull(Headers),
    model_ids: orNull(ModelIds),
  },
  { additionalProperties: false },
)

const TestResult = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the server responded and has models.' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'What is wrong, and how to fix it.' }),
    latency_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The time until the model list was complete; null without a response.',
    }),
    models: Type.Array(Type.String(), { description: 'The first 200 model ids.' }),
    total_models: Type.Integer(),
  },
  { description: 'The result of a test. Nothing is generated, and nothing is spent.' },
)

const AddedProvider = Type.Object(
  {
    ...ProviderResponse.properties,
    default_chosen: Type.Boolean({
      description:
        'Whether the platform chose `default_model`, because the request had none and no other default model is configured: of its models that generate text the one with the lowest known price, else the first by name.',
    }),
    auto_model: Type.Union([Type.String(), Type.Null()], {
      description:
        'What calls and steps that name no model get now, as `provider/model`. `builtin/builtin:text` analyses texts and is no language model; null: nothing is available.',
    }),
  },
  { description: 'The new provider, and what it means for calls that name no model.' },
)

/** The routes to add, change, test and delete providers. */
export function addStoredProviderRoutes(routes: HttpServer, options: StoredProviderRoutesOptions): void {
  const { providers, stored, describe, keys, limits, catalogue, findAuto, builtinRole } = options

  async function requireFree(name: string): Promise<void> {
    const taken = reservedProviderNames.has(name) || (await providers.read()).has(name)
    if (!taken) return
    throw kernelFailure('conflict', {
      message: `The name "${name}" is taken or reserved. Choose another one, such as "${name.slice(0, 30)}-2".`,
    })
  }

  /** Throws `conflict` for a provider of the environment, `not_found` for an unknown one. */
  async function requireStored(name: string): Promise<StoredProvider> {
    // Another replica may have stored the provider or its key a moment ago.
    await Promise.all([stored.reload(), keys.reload()])
    if ((await providers.read()).get(name)?.source === 'environment') {
      throw kernelFailure('conflict', {
        message: `${name} is configured by environment variables. Change them and restart the platform.`,
      })
    }
    const found = (await stored.read()).get(name)
    if (found === undefined) throw unknownProvider(name)
    return found
  }

  /** Gives the provider a default model when calls that name no model would get none otherwise. Returns whether it got one. */
  async function ensureDefault(name: string, audit: AuditContext): Promise<boolean> {
    if ((await builtinRole()).kind !== 'only') return false
    const entries = await catalogue.findNow()
    const defaultModel = chooseDefaultModel(entries.filter(({ provider }) => provider === name))
    if (defaultModel === undefined) return false
    await stored.change(name, { defaultModel }, audit)
    return true
  }

  routes.post(
    '/api/v1/providers',
    {
      config: { access },
      schema: {
        operationId: 'createProvider',
        summary: 'Add a provider',
        description: `Adds a provider to all replicas at once, without a restart. At most ${maxStoredProviders} providers can be added. A key and headers are stored encrypted. Without \`default_model\` the platform chooses one, unless a default model is configured already; null leaves the provider without one.`,
        body: NewProvider,
        response: { 201: AddedProvider },
      },
    },
    async (request, reply) => {
      const { name, api_key: apiKey } = request.body
      await requireFree(name)
      const audit = auditContextOf(request)
      await stored.create(name, configOf(request.body), { apiKey, audit })
      const default_chosen = request.body.default_model === undefined && (await ensureDefault(name, audit))
      const [added, auto] = [await describe.find(name), await findAuto()]
      const auto_model = auto === undefined ? null : `${auto.provider}/${auto.model.id}`
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...added, default_chosen, auto_model })
    },
  )

  routes.patch(
    '/api/v1/providers/:name',
    {
      config: { access },
      schema: {
        operationId: 'changeProvider',
        summary: 'Change a provider',
        description:
          'Changes a provider that was added over this API, in all replicas. Running calls finish with the earlier settings. Another kind, or a base URL on another host or port, removes the stored key and headers unless the request has new ones: they are never sent to another server.',
        params: anyProvider,
        body: ProviderChange,
        response: { 200: ProviderResponse },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      await requireStored(name)
      await stored.change(name, readProviderChanges(request.body), auditContextOf(request))
      return reply.header('cache-control', 'no-store').send(await describe.find(name))
    },
  )

  routes.delete(
    '/api/v1/providers/:name',
    {
      config: { access },
      schema: {
        operationId: 'removeProvider',
        summary: 'Delete a provider',
        description:
          'Deletes a provider that was added over this API, with its key. Running calls finish. Usage records and price overrides stay.',
        params: anyProvider,
        response: { 204: Type.Null({ description: 'The provider was deleted.' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      await requireStored(name)
      await stored.remove(name, auditContextOf(request))
      return reply.code(204).send(null)
    },
  )

  routes.post(
    '/api/v1/providers/test',
    {
      config: { access },
      schema: {
        operationId: 'testProviderSettings',
        summary: 'Test provider settings',
        description: 'Lists the models of a server with the given settings, which are not stored.',
        body: TestedProvider,
        response: { 200: TestResult },
      },
    },
    async (request, reply) => {
      const { kind, base_url, api_key, headers, model_ids } = request.body
      const settings = {
        baseUrl: readBaseUrl(base_url),
        headers: readHeaders(headers ?? undefined),
        models: model_ids ?? undefined,
      }
      const result = await testProvider({ kind, settings, limits, readKey: async () => api_key })
      return reply.header('cache-control', 'no-store').send(responseOfTest(result))
    },
  )

  routes.post(
    '/api/v1/providers/:name/test',
    {
      config: { access },
      schema: {
        operationId: 'testProvider',
        summary: 'Test a provider',
        description: 'Lists the models of a stored provider with its settings and its key.',
        params: anyProvider,
        response: { 200: TestResult },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const settings = await requireStored(name)
      const { kind } = settings
      const result = await testProvider({ name, kind, settings, limits, readKey: () => keys.read(name) })
      return reply.header('cache-control', 'no-store').send(responseOfTest(result))
    },
  )
}

function configOf(
  given: GivenSettings & Pick<Static<typeof NewProvider>, 'kind' | 'base_url'>,
): ProviderConfig {
  return {
    kind: given.kind,
    baseUrl: readBaseUrl(given.base_url),
    headers: readHeaders(given.headers ?? undefined),
    models: given.model_ids ?? undefined,
    defaultModel: given.default_model ?? undefined,
    priceList: given.price_list ?? undefined,
    enabled: given.enabled ?? true,
  }
}

const maxShownModels = 200

function responseOfTest({ problem, latencyMs, models }: Awaited<ReturnType<typeof testProvider>>) {
  return {
    ok: problem === null,
    problem,
    latency_ms: latencyMs === null ? null : Math.round(latencyMs),
    models: models.slice(0, maxShownModels),
    total_models: models.length,
  }
}

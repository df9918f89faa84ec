import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, isModelAllowed } from '#kernel/http'
import { auditContextOf } from '../audit-context.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueModelSchema } from '../catalogue/catalogue-model.ts'
import { describeKey, withoutCredentials } from '../catalogue/provider-settings.ts'
import type { ProviderState, ProviderStates } from '../catalogue/provider-states.ts'
import type { ProviderKeys } from '../provider-keys/provider-keys.ts'
import {
  type ProviderRegistry,
  providerNamePattern,
  type RegisteredProvider,
  takesKey,
} from '../providers/registry.ts'

export interface ProviderRoutesOptions {
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly states: ProviderStates
  readonly keys: ProviderKeys
  readonly providers: ProviderRegistry
}

const access = { permission: 'administer llm' } as const

const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Provider = Type.Object(
  {
    name: Type.String(),
    configured: Type.Boolean({ description: 'Whether the provider has the settings it needs.' }),
    key: Type.Object(
      {
        source: Type.Union([Type.Enum(['environment', 'stored']), Type.Null()], {
          description:
            'The source of the key; a key from the environment takes precedence over a stored one.',
        }),
        hint: OptionalText('The last four characters; null for a short key.'),
        updated_at: OptionalTime,
        updated_by: OptionalText('The account that stored it.'),
      },
      { description: 'The API key of the provider, without the key itself.' },
    ),
    base_url: OptionalText('The address of the provider, without credentials.'),
    state: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
    problem: OptionalText('A description of the problem; null when there is none.'),
    response_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The response time in milliseconds.',
    }),
    checked_at: Type.String({ format: 'date-time', description: 'The time of the last probe.' }),
    models: Type.Integer({ description: 'The number of its models.' }),
  },
  { description: 'A provider and its state.' },
)

type Provider = Static<typeof Provider>

const anyProvider = Type.Object({
  name: Type.String({
    pattern: providerNamePattern,
    'x-means': 'must be the name of a provider',
    description: 'The name of the provider.',
  }),
})

/** The routes for providers, their state and their API keys. */
export function addProviderRoutes(routes: HttpServer, options: ProviderRoutesOptions): void {
  const { catalogue, states, keys, providers } = options

  async function find(name: string): Promise<RegisteredProvider> {
    const found = (await providers.read()).get(name)
    if (found === undefined) {
      throw kernelFailure('not_found', { message: `There is no provider "${name}".` })
    }
    return found
  }

  async function findKeyed(name: string): Promise<RegisteredProvider> {
    const found = await find(name)
    if (takesKey(found)) return found
    const keyed = [...(await providers.read())].filter(([, other]) => takesKey(other)).map(([other]) => other)
    throw kernelFailure('invalid_input', {
      message: `${name} needs no API key. The providers with a key are ${keyed.join(', ')}.`,
      problems: [{ path: 'name', message: 'needs no API key', code: 'choice' }],
    })
  }

  async function describe(registered: RegisteredProvider, state: ProviderState): Promise<Provider> {
    const { name } = registered.provider
    const [key, entries] = await Promise.all([describeKey(keys, registered), catalogue.find()])
    return {
      name,
      configured: state.state !== 'unconfigured',
      key: {
        source: key.source,
        hint: key.hint,
        updated_at: key.updatedAt?.toISOString() ?? null,
        updated_by: key.updatedBy,
      },
      base_url: withoutCredentials(registered.baseUrl),
      state: state.state,
      problem: key.problem ?? state.problem,
      response_ms: state.responseMs === null ? null : Math.round(state.responseMs),
      checked_at: state.checkedAt.toISOString(),
      models: entries.filter(({ provider }) => provider === name).length,
    }
  }

  routes.get(
    '/api/v1/providers',
    {
      config: { access },
      schema: {
        operationId: 'listProviders',
        summary: 'List providers',
        description:
          'Returns all providers with their state, in the order of the default chain. A provider without a recent probe is probed now.',
        response: {
          200: Type.Object(
            { data: Type.Array(Provider), total: Type.Integer() },
            { description: 'All providers.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const data = await Promise.all(
        [...(await providers.read())].map(async ([name, registered]) =>
          describe(registered, await states.current(name)),
        ),
      )
      return reply.header('cache-control', 'no-store').send({ data, total: data.length })
    },
  )

  routes.post(
    '/api/v1/providers/:name/probe',
    {
      config: { access },
      schema: {
        operationId: 'probeProvider',
        summary: 'Probe a provider',
        description: 'Checks the provider now. Nothing is generated, and nothing is spent.',
        params: anyProvider,
        response: { 200: Provider },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const registered = await find(name)
      return reply
        .header('cache-control', 'no-store')
        .send(await describe(registered, await states.probeNow(name)))
    },
  )

  routes.put(
    '/api/v1/providers/:name/key',
    {
      config: { access },
      schema: {
        operationId: 'storeProviderKey',
        summary: 'Store a provider key',
        description:
          'Stores the API key encrypted and replaces the previous one in all replicas. Refused while the environment has a key, which takes precedence.',
        params: anyProvider,
        body: Type.Object(
          {
            api_key: Type.String({
              minLength: 1,
              maxLength: 512,
              pattern: '^[\\x21-\\x7e]*$',
              'x-means': 'must be printable ASCII characters without spaces',
              description: 'The API key of the provider. No response contains it.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: Provider },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      const registered = await findKeyed(name)
      await keys.store(name, request.body.api_key, auditContextOf(request))
      await states.invalidate(name)
      return reply
        .header('cache-control', 'no-store')
        .send(await describe(registered, await states.current(name)))
    },
  )

  routes.delete(
    '/api/v1/providers/:name/key',
    {
      config: { access },
      schema: {
        operationId: 'removeProviderKey',
        summary: 'Delete a provider key',
        description: 'Deletes the stored key. A key from the environment stays in use.',
        params: anyProvider,
        response: { 204: Type.Null({ description: 'The key was deleted.' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      await findKeyed(name)
      if (!(await keys.remove(name, auditContextOf(request)))) {
        throw kernelFailure('not_found', { message: `There is no stored key for ${name}.` })
      }
      await states.invalidate(name)
      return reply.code(204).send(null)
    },
  )
}

/** The model list. It has no pages, because clients of this format do not support them. */
export function addModelRoutes(
  routes: HttpServer,
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'list'> },
): void {
  routes.get(
    '/api/v1/models',
    {
      config: { access: { signedIn: true, scope: 'models.read' } },
      schema: {
        operationId: 'listModels',
        summary: 'List models',
        description:
          'Returns the models of all providers, ordered by id. A model of several providers is listed once for each. Models of unreachable providers stay in the list with the state `unavailable`. Models that the API key does not allow are left out.',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(catalogueModelSchema) },
            { description: 'The models.' },
          ),
        },
      },
    },
    async ({ principal: { limits } }, reply) => {
      reply.header('cache-control', 'no-store')
      const models = await catalogue.list()
      return { object: 'list' as const, data: models.filter((model) => isModelAllowed(limits, model)) }
    },
  )
}

import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { askedBy } from '../asked-by.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { describeKey, takesKey, withoutCredentials } from '../catalogue/provider-settings.ts'
import type { ProviderState, ProviderStates } from '../catalogue/provider-states.ts'
import { type KeyedProvider, keyVariables, type ProviderKeys } from '../provider-keys/provider-keys.ts'
import { type ProviderName, providerNames } from '../providers/provider.ts'

export interface ProviderRoutesOptions {
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly states: ProviderStates
  readonly keys: ProviderKeys
  /** Where each is asked; null for the one that needs no address. */
  readonly baseUrls: Readonly<Record<ProviderName, string | null>>
}

const access = { permission: 'administer llm' } as const

const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Provider = Type.Object(
  {
    name: Type.Enum([...providerNames]),
    configured: Type.Boolean({ description: 'Whether it has what it needs to be asked.' }),
    key: Type.Object(
      {
        source: Type.Union([Type.Enum(['environment', 'stored']), Type.Null()], {
          description: 'Where the key comes from; a key of the environment wins over a stored one.',
        }),
        hint: OptionalText('The last four characters; null for a key too short to be told by them.'),
        updated_at: OptionalTime,
        updated_by: OptionalText('The account that stored it.'),
      },
      { description: 'The key that is shown to it. The key itself is never told.' },
    ),
    base_url: OptionalText('Where it is asked, without credentials.'),
    state: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
    problem: OptionalText('What is wrong, for people; null when nothing is.'),
    response_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'How long it took to answer.' }),
    checked_at: Type.String({ format: 'date-time', description: 'When it was last asked.' }),
    models: Type.Integer({ description: 'How many models it has.' }),
  },
  { description: 'A provider of models, and how it is.' },
)

type Provider = Static<typeof Provider>

const anyProvider = Type.Object({ name: Type.Enum([...providerNames]) })

/** Who provides models, whether they can be asked, and the keys they want to see. */
export function addProviderRoutes(routes: HttpServer, options: ProviderRoutesOptions): void {
  const { catalogue, states, keys, baseUrls } = options

  async function describe(name: ProviderName, state: ProviderState): Promise<Provider> {
    const [key, entries] = await Promise.all([describeKey(keys, name), catalogue.find()])
    return {
      name,
      configured: state.state !== 'unconfigured',
      key: {
        source: key.source,
        hint: key.hint,
        updated_at: key.updatedAt?.toISOString() ?? null,
        updated_by: key.updatedBy,
      },
      base_url: withoutCredentials(baseUrls[name]),
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
        summary: 'Providers and how they are',
        description:
          'All of them, in the order in which they are asked. Whether one can be asked is looked at when it was not lately.',
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
        providerNames.map(async (name) => describe(name, await states.look(name))),
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
        summary: 'Look at a provider now',
        description: 'Asks it whether it is there. Nothing is generated, and nothing is spent.',
        params: anyProvider,
        response: { 200: Provider },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      return reply.header('cache-control', 'no-store').send(await describe(name, await states.lookNow(name)))
    },
  )

  routes.put(
    '/api/v1/providers/:name/key',
    {
      config: { access },
      schema: {
        operationId: 'storeProviderKey',
        summary: 'Store the key of a provider',
        description:
          'Sealed with the secret of this installation; it replaces the one before it and holds in all replicas at once. Refused while the environment has a key, which would win.',
        params: anyProvider,
        body: Type.Object(
          {
            api_key: Type.String({
              minLength: 1,
              maxLength: 512,
              pattern: '^[\\x21-\\x7e]*$',
              'x-means': 'must be letters, digits and signs, without spaces',
              description: 'As the provider gave it. No answer ever has it.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: Provider },
      },
    },
    async (request, reply) => {
      const name = requireKeyed(request.params.name)
      await keys.store(name, request.body.api_key, askedBy(request))
      states.forget(name)
      return reply.header('cache-control', 'no-store').send(await describe(name, await states.look(name)))
    },
  )

  routes.delete(
    '/api/v1/providers/:name/key',
    {
      config: { access },
      schema: {
        operationId: 'removeProviderKey',
        summary: 'Remove the stored key of a provider',
        description:
          'Without another key the provider can no longer be asked. A key of the environment stays.',
        params: anyProvider,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      const name = requireKeyed(request.params.name)
      if (!(await keys.remove(name, askedBy(request)))) {
        throw kernelFailure('not_found', { message: `No key of ${name} is stored.` })
      }
      states.forget(name)
      return reply.code(204).send(null)
    },
  )
}

function requireKeyed(name: ProviderName): KeyedProvider {
  if (takesKey(name)) return name
  throw kernelFailure('invalid_input', {
    message: `${name} wants to see no key. Those that do are ${Object.keys(keyVariables).join(' and ')}.`,
    problems: [{ path: 'name', message: 'wants to see no key', code: 'choice' }],
  })
}

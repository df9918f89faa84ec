import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, isModelAllowed } from '#kernel/http'
import { auditContextOf } from '../audit-context.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueModelSchema } from '../catalogue/catalogue-model.ts'
import type { ProviderStates } from '../catalogue/provider-states.ts'
import type { ProviderKeys } from '../provider-keys/provider-keys.ts'
import { type ProviderRegistry, takesKey } from '../providers/registry.ts'
import type { StoredProviders } from '../stored-providers/stored-providers.ts'
import {
  anyProvider,
  type DescribeProviders,
  ProviderResponse,
  unknownProvider,
} from './provider-response.ts'

export interface ProviderRoutesOptions {
  readonly states: Pick<ProviderStates, 'invalidate'>
  readonly keys: ProviderKeys
  readonly providers: ProviderRegistry
  readonly stored: Pick<StoredProviders, 'read'>
  readonly describe: DescribeProviders
}

const access = { permission: 'administer llm' } as const

export const ApiKey = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]*$',
  'x-means': 'must be printable ASCII characters without spaces',
  description: 'The API key of the provider. No response contains it.',
})

/** The routes for providers, their state and their API keys. */
export function addProviderRoutes(routes: HttpServer, options: ProviderRoutesOptions): void {
  const { states, keys, providers, stored, describe } = options

  /** Throws `not_found` for an unknown provider, and `invalid_input` for one without a key. */
  async function requireKeyed(name: string): Promise<void> {
    const known = await providers.read()
    const found = known.get(name)
    if (found === undefined && !(await stored.read()).has(name)) throw unknownProvider(name)
    if (found === undefined || takesKey(found)) return
    const keyed = [...known].filter(([, other]) => takesKey(other)).map(([other]) => other)
    throw kernelFailure('invalid_input', {
      message: `${name} needs no API key. The providers with a key are ${keyed.join(', ')}.`,
      problems: [{ path: 'name', message: 'needs no API key', code: 'choice' }],
    })
  }

  routes.get(
    '/api/v1/providers',
    {
      config: { access },
      schema: {
        operationId: 'listProviders',
        summary: 'List providers',
        description:
          'Returns all providers with their state, in the order of the default chain, disabled ones last. A provider without a recent probe is probed now.',
        response: {
          200: Type.Object(
            { data: Type.Array(ProviderResponse), total: Type.Integer() },
            { description: 'All providers.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const data = await describe.list()
      return reply.header('cache-control', 'no-store').send({ data, total: data.length })
    },
  )

  routes.get(
    '/api/v1/providers/:name',
    {
      config: { access },
      schema: {
        operationId: 'getProvider',
        summary: 'Get a provider',
        description: 'Returns one provider with its state.',
        params: anyProvider,
        response: { 200: ProviderResponse },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await describe.find(request.params.name)),
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
        response: { 200: ProviderResponse },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await describe.probe(request.params.name)),
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
        body: Type.Object({ api_key: ApiKey }, { additionalProperties: false }),
        response: { 200: ProviderResponse },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      await requireKeyed(name)
      await keys.store(name, request.body.api_key, auditContextOf(request))
      await states.invalidate(name)
      return reply.header('cache-control', 'no-store').send(await describe.find(name))
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
      await requireKeyed(name)
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

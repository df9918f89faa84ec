import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import {
  type ClientSettings,
  completeGrantTypes,
  findClientProblems,
  grantTypes,
  type OAuthClient,
} from '../oauth/client.ts'
import type { Clients } from '../oauth/clients.ts'
import type { Permission } from '../permissions.ts'
import { listOf, OptionalTime } from '../schemas.ts'
import { scopeNames } from '../scopes.ts'
import { callerOf, refuseLimitedKey } from './caller.ts'

const settingFields = {
  name: Type.String({ maxLength: 100, ...oneLine, description: 'Name shown on the consent page.' }),
  redirect_uris: Type.Array(Type.String({ maxLength: 2000 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Where codes are sent: https, or http on localhost. They are compared exactly.',
  }),
  scopes: Type.Array(Type.Enum([...scopeNames]), {
    minItems: 1,
    maxItems: scopeNames.length,
    uniqueItems: true,
    description: 'Scopes the client can request.',
  }),
  grant_types: Type.Array(Type.Enum([...grantTypes]), {
    minItems: 1,
    maxItems: grantTypes.length,
    uniqueItems: true,
  }),
}

const clientFields = {
  client_id: Type.String(),
  ...settingFields,
  public: Type.Boolean({ description: 'A public client has no secret and must use PKCE.' }),
  user_id: Type.String({ format: 'uuid' }),
  username: Type.String({
    description: 'Owner of the client. A client credentials token acts for this account.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: OptionalTime,
}

const Client = Type.Object(clientFields, { description: 'An OAuth client, without its secret.' })

const secretField = Type.String({ description: 'The secret. It is returned only once.' })

const NewClient = Type.Object(
  { ...clientFields, client_secret: Type.Optional(secretField) },
  { description: 'The client was registered. A public client has no secret.' },
)

const NewSecret = Type.Object(
  { client_id: Type.String(), client_secret: secretField },
  { description: 'The new secret.' },
)

const ClientId = Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 100 }) })

const access = { signedIn: true } as const

/** Allows listing and changing the clients of every account. */
const allClientsPermission: Permission = 'administer users'

const ownerNote = 'With the permission `administer users` this works for the clients of every account.'

/** Register, list, change and delete OAuth clients. */
export function addOAuthClientRoutes(routes: HttpServer, clients: Clients): void {
  routes.get(
    '/api/v1/oauth-clients',
    {
      config: { access },
      schema: {
        operationId: 'listOAuthClients',
        summary: 'List OAuth clients',
        description:
          'Lists your clients, oldest first. `owner=all` lists the clients of every account and needs the permission `administer users`.',
        querystring: Type.Object({
          ...pageQuery,
          owner: Type.Enum(['me', 'all'], { default: 'me', description: 'Whose clients to list.' }),
        }),
        response: { 200: listOf(Client, 'A page of clients.') },
      },
    },
    async (request, reply) => {
      const { limit, owner } = request.query
      if (owner === 'all' && !request.principal.permissions.has(allClientsPermission)) {
        throw kernelFailure('permission_denied', {
          message: `You need the permission "${allClientsPermission}" to list the OAuth clients of other accounts.`,
          details: { permission: [allClientsPermission] },
        })
      }
      const userId = owner === 'all' ? null : callerOf(request).id
      const page = await clients.list({ userId, limit, offset: offsetOf(request.query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ data: page.clients.map(toClientResponse), total: page.total })
    },
  )

  routes.post(
    '/api/v1/oauth-clients',
    {
      config: { access },
      schema: {
        operationId: 'createOAuthClient',
        summary: 'Create an OAuth client',
        description:
          'A client with `authorization_code` also gets `refresh_token`. A public client runs in a browser or on a device: it has no secret, cannot use `client_credentials`, and may use a private-use scheme such as `com.example.app:/signed-in`. An account can have at most 100 clients.',
        body: Type.Object(
          {
            ...settingFields,
            redirect_uris: Type.Optional(settingFields.redirect_uris),
            grant_types: Type.Optional(settingFields.grant_types),
            public: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
        response: { 201: NewClient },
      },
    },
    async (request, reply) => {
      refuseLimitedKey(request)
      const {
        public: isPublic = false,
        redirect_uris = [],
        grant_types = ['authorization_code'],
        ...given
      } = request.body
      const settings = checkSettings({ ...given, redirect_uris, grant_types }, isPublic)
      const { client, secret } = await clients.create(
        { ...settings, userId: callerOf(request).id, public: isPublic },
        actorOf(request),
      )
      return reply
        .code(201)
        .header('location', `/api/v1/oauth-clients/${client.client_id}`)
        .header('cache-control', 'no-store')
        .send({ ...toClientResponse(client), ...(secret !== undefined && { client_secret: secret }) })
    },
  )

  routes.get(
    '/api/v1/oauth-clients/:client_id',
    {
      config: { access },
      schema: {
        operationId: 'readOAuthClient',
        summary: 'Get an OAuth client',
        description: ownerNote,
        params: ClientId,
        response: { 200: Client },
      },
    },
    async (request, reply) => {
      const client = await clients.read(selectorOf(request, request.params.client_id))
      if (client === undefined) throw noSuchClient()
      return reply.header('cache-control', 'no-store').send(toClientResponse(client))
    },
  )

  routes.patch(
    '/api/v1/oauth-clients/:client_id',
    {
      config: { access },
      schema: {
        operationId: 'updateOAuthClient',
        summary: 'Update an OAuth client',
        description: `Removed scopes stop working at once, also for issued tokens. ${ownerNote}`,
        params: ClientId,
        body: Type.Partial(Type.Object(settingFields), { additionalProperties: false, minProperties: 1 }),
        response: { 200: Client },
      },
    },
    async (request, reply) => {
      refuseLimitedKey(request)
      const selector = selectorOf(request, request.params.client_id)
      const client = await clients.read(selector)
      if (client === undefined) throw noSuchClient()
      const settings = checkSettings({ ...pickSettings(client), ...request.body }, client.public)
      const updated = await clients.update(selector, settings, actorOf(request))
      if (updated === undefined) throw noSuchClient()
      return reply.header('cache-control', 'no-store').send(toClientResponse(updated))
    },
  )

  routes.post(
    '/api/v1/oauth-clients/:client_id/secret',
    {
      config: { access },
      schema: {
        operationId: 'replaceOAuthClientSecret',
        summary: 'Replace the secret of an OAuth client',
        description: `The old secret stops working at once. ${ownerNote}`,
        params: ClientId,
        response: { 200: NewSecret },
      },
    },
    async (request, reply) => {
      refuseLimitedKey(request)
      const selector = selectorOf(request, request.params.client_id)
      const client = await clients.read(selector)
      if (client === undefined) throw noSuchClient()
      if (client.public) throw kernelFailure('conflict', { message: 'A public client has no secret.' })
      const secret = await clients.replaceSecret(selector, actorOf(request))
      if (secret === undefined) throw noSuchClient()
      return reply
        .header('cache-control', 'no-store')
        .send({ client_id: client.client_id, client_secret: secret })
    },
  )

  routes.delete(
    '/api/v1/oauth-clients/:client_id',
    {
      config: { access },
      schema: {
        operationId: 'deleteOAuthClient',
        summary: 'Delete an OAuth client',
        description: `All tokens issued to the client stop working at once. ${ownerNote}`,
        params: ClientId,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      const removed = await clients.remove(selectorOf(request, request.params.client_id), actorOf(request))
      if (!removed) throw noSuchClient()
      return reply.code(204).send(null)
    },
  )
}

function selectorOf(request: FastifyRequest, clientId: string) {
  const all = request.principal.permissions.has(allClientsPermission)
  return { clientId, ownerId: all ? null : callerOf(request).id }
}

function noSuchClient() {
  return kernelFailure('not_found', { message: 'There is no such client.' })
}

function pickSettings({ name, redirect_uris, scopes, grant_types }: OAuthClient): ClientSettings {
  return { name, redirect_uris, scopes, grant_types }
}

function checkSettings(given: ClientSettings, isPublic: boolean): ClientSettings {
  const settings = { ...given, grant_types: completeGrantTypes(given.grant_types) }
  const problems = findClientProblems(settings, isPublic)
  const [first] = problems
  if (first === undefined) return settings
  throw kernelFailure('invalid_input', { message: `${first.path} ${first.message}.`, problems })
}

function toClientResponse(client: OAuthClient): Static<typeof Client> {
  return {
    ...client,
    redirect_uris: [...client.redirect_uris],
    scopes: [...client.scopes],
    grant_types: [...client.grant_types],
    created_at: client.created_at.toISOString(),
    last_used_at: client.last_used_at?.toISOString() ?? null,
  }
}

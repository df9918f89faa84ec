import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import {
  type ClientSettings,
  completeGrantTypes,
  findClientProblems,
  grantTypes,
  type OAuthClient,
} from '../oauth/client.ts'
import type { Clients } from '../oauth/clients.ts'
import type { Permission } from '../permissions.ts'
import { scopeNames } from '../scopes.ts'
import { originOf } from '../security-events.ts'
import { listOf, OptionalTime } from '../shapes.ts'
import { callerOf } from './caller.ts'

const settingFields = {
  name: Type.String({ maxLength: 100, ...oneLine, description: 'What people are asked to let in.' }),
  redirect_uris: Type.Array(Type.String({ maxLength: 2000 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Where codes are sent: https, or http on this machine. They are compared letter by letter.',
  }),
  scopes: Type.Array(Type.Enum([...scopeNames]), {
    minItems: 1,
    maxItems: scopeNames.length,
    uniqueItems: true,
    description: 'The most it can ask for.',
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
  public: Type.Boolean({ description: 'It keeps no secret, and has to use PKCE.' }),
  user_id: Type.String({ format: 'uuid' }),
  username: Type.String({ description: 'Whose it is; by itself it acts for this account.' }),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: OptionalTime,
}

const Client = Type.Object(clientFields, { description: 'A client, without its secret.' })

const secretField = Type.String({ description: 'The secret. It is shown this once.' })

const NewClient = Type.Object(
  { ...clientFields, client_secret: Type.Optional(secretField) },
  { description: 'The client was registered. A public one has no secret.' },
)

const NewSecret = Type.Object(
  { client_id: Type.String(), client_secret: secretField },
  { description: 'The new secret.' },
)

const ClientId = Type.Object({ client_id: Type.String({ minLength: 1, maxLength: 100 }) })

const access = { signedIn: true } as const

/** Whoever has it may see and change the clients of others. */
const overAllClients: Permission = 'administer users'

const ownerNote = 'One’s own; with the permission `administer users`, anyone’s.'

/** Applications that may ask people to be let in, or act for their owner. */
export function addOAuthClientRoutes(routes: HttpServer, clients: Clients): void {
  routes.get(
    '/api/v1/oauth-clients',
    {
      config: { access },
      schema: {
        operationId: 'listOAuthClients',
        summary: 'Registered clients',
        description:
          'One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.',
        querystring: Type.Object({
          ...pageQuery,
          owner: Type.Enum(['me', 'all'], { default: 'me', description: 'Whose clients.' }),
        }),
        response: { 200: listOf(Client, 'A page of clients.') },
      },
    },
    async (request, reply) => {
      const { limit, owner } = request.query
      if (owner === 'all' && !request.principal.permissions.has(overAllClients)) {
        throw kernelFailure('permission_denied', {
          message: `You need the permission "${overAllClients}" to see the clients of others.`,
          details: { permission: [overAllClients] },
        })
      }
      const userId = owner === 'all' ? null : callerOf(request).id
      const page = await clients.list({ userId, limit, offset: offsetOf(request.query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ data: page.clients.map(tellClient), total: page.total })
    },
  )

  routes.post(
    '/api/v1/oauth-clients',
    {
      config: { access },
      schema: {
        operationId: 'createOAuthClient',
        summary: 'Register a client',
        description:
          'A client with `authorization_code` also gets `refresh_token`. A public one runs where others can look, in a browser or on a device: it has no secret and no `client_credentials`, and may use a scheme of its own, such as `com.example.app:/signed-in`. An account can have 100.',
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
        .send({ ...tellClient(client), ...(secret !== undefined && { client_secret: secret }) })
    },
  )

  routes.get(
    '/api/v1/oauth-clients/:client_id',
    {
      config: { access },
      schema: {
        operationId: 'readOAuthClient',
        summary: 'One client',
        description: ownerNote,
        params: ClientId,
        response: { 200: Client },
      },
    },
    async (request, reply) => {
      const client = await clients.read(whichOf(request, request.params.client_id))
      if (client === undefined) throw noSuchClient()
      return reply.header('cache-control', 'no-store').send(tellClient(client))
    },
  )

  routes.patch(
    '/api/v1/oauth-clients/:client_id',
    {
      config: { access },
      schema: {
        operationId: 'updateOAuthClient',
        summary: 'Change a client',
        description: `${ownerNote} Fewer scopes hold at once, for tokens that are out, too.`,
        params: ClientId,
        body: Type.Partial(Type.Object(settingFields), { additionalProperties: false, minProperties: 1 }),
        response: { 200: Client },
      },
    },
    async (request, reply) => {
      const which = whichOf(request, request.params.client_id)
      const client = await clients.read(which)
      if (client === undefined) throw noSuchClient()
      const settings = checkSettings({ ...pickSettings(client), ...request.body }, client.public)
      const updated = await clients.update(which, settings, actorOf(request))
      if (updated === undefined) throw noSuchClient()
      return reply.header('cache-control', 'no-store').send(tellClient(updated))
    },
  )

  routes.post(
    '/api/v1/oauth-clients/:client_id/secret',
    {
      config: { access },
      schema: {
        operationId: 'replaceOAuthClientSecret',
        summary: 'Give a client a new secret',
        description: `The old one stops working at once. ${ownerNote}`,
        params: ClientId,
        response: { 200: NewSecret },
      },
    },
    async (request, reply) => {
      const which = whichOf(request, request.params.client_id)
      const client = await clients.read(which)
      if (client === undefined) throw noSuchClient()
      if (client.public) throw kernelFailure('conflict', { message: 'A public client has no secret.' })
      const secret = await clients.replaceSecret(which, actorOf(request))
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
        summary: 'Remove a client',
        description: `Everything that was issued to it stops working at once. ${ownerNote}`,
        params: ClientId,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      const removed = await clients.remove(whichOf(request, request.params.client_id), actorOf(request))
      if (!removed) throw noSuchClient()
      return reply.code(204).send(null)
    },
  )
}

function whichOf(request: FastifyRequest, clientId: string) {
  const all = request.principal.permissions.has(overAllClients)
  return { clientId, ownerId: all ? null : callerOf(request).id }
}

function actorOf(request: FastifyRequest) {
  return { by: request.principal.id, origin: originOf(request) }
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

function tellClient(client: OAuthClient): Static<typeof Client> {
  return {
    ...client,
    redirect_uris: [...client.redirect_uris],
    scopes: [...client.scopes],
    grant_types: [...client.grant_types],
    created_at: client.created_at.toISOString(),
    last_used_at: client.last_used_at?.toISOString() ?? null,
  }
}

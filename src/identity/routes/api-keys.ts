import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import type { ApiKeyRecord, ApiKeys } from '../api-keys/api-keys.ts'
import { givenLimits, showLimits, shownLimits } from '../api-keys/key-limits.ts'
import type { Permission } from '../permissions.ts'
import { Id, listOf, nullable, OptionalTime } from '../schemas.ts'
import { callerOf, refuseLimitedKey } from './caller.ts'

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognise it.' }),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Scopes of the key; null: every permission of its owner.',
  }),
  user_id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: OptionalTime,
  last_used_at: OptionalTime,
  limits: shownLimits,
}

const ApiKey = Type.Object(keyFields, { description: 'An API key, without its secret value.' })

const NewApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key. It is returned only once.' }) },
  { description: 'The API key was created.' },
)

const KeyId = Type.Object({ id: Id })

const nameField = Type.String({ maxLength: 100, ...oneLine, description: 'Purpose of the key.' })

const expiryField = nullable(
  Type.String({ format: 'date-time', description: 'Expiry, at most 10 years ahead. Default: never.' }),
)

const limitsField = Type.Unsafe<Static<typeof givenLimits> | null>({
  ...givenLimits,
  nullable: true,
  description: 'Limits of the calls to models with this key, besides those of the account. Default: none.',
})

const access = { signedIn: true } as const

/** Allows listing, changing and revoking the keys of every account. */
const allKeysPermission: Permission = 'administer users'

const ownerNote = 'With the permission `administer users` this works for the keys of every account.'

/** Create, list, change and revoke API keys. */
export function addApiKeyRoutes(routes: HttpServer, apiKeys: ApiKeys): void {
  routes.get(
    '/api/v1/api-keys',
    {
      config: { access },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Lists your API keys that are not revoked, oldest first. `owner=all` lists the keys of every account and needs the permission `administer users`.',
        querystring: Type.Object({
          ...pageQuery,
          owner: Type.Enum(['me', 'all'], { default: 'me', description: 'Whose keys to list.' }),
        }),
        response: { 200: listOf(ApiKey, 'A page of keys.') },
      },
    },
    async (request, reply) => {
      const { limit, owner } = request.query
      if (owner === 'all' && !request.principal.permissions.has(allKeysPermission)) {
        throw kernelFailure('permission_denied', {
          message: `You need the permission "${allKeysPermission}" to list the API keys of other accounts.`,
          details: { permission: [allKeysPermission] },
        })
      }
      const userId = owner === 'all' ? null : callerOf(request).id
      const { keys, total } = await apiKeys.list({ userId, limit, offset: offsetOf(request.query) })
      return reply.header('cache-control', 'no-store').send({ data: keys.map(toApiKeyResponse), total })
    },
  )

  routes.post(
    '/api/v1/api-keys',
    {
      config: { access },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'The key acts for the account that creates it. Send it in `Authorization: Bearer` or `X-API-Key`. An account can have at most 100 keys.',
        body: Type.Object(
          {
            name: nameField,
            scopes: Type.Optional(
              nullable(
                Type.Array(Type.String({ maxLength: 64 }), {
                  maxItems: 100,
                  description: 'Limits the key to these scopes. Default: every permission of its owner.',
                }),
              ),
            ),
            expires_at: Type.Optional(expiryField),
            limits: Type.Optional(limitsField),
          },
          { additionalProperties: false },
        ),
        response: { 201: NewApiKey },
      },
    },
    async (request, reply) => {
      refuseLimitedKey(request)
      const { name, scopes = null, expires_at: expiresAt = null, limits = null } = request.body
      const { key, ...record } = await apiKeys.create({
        userId: callerOf(request).id,
        name,
        scopes: scopes === null ? null : [...new Set(scopes)],
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        limits,
        ...actorOf(request),
      })
      return reply
        .code(201)
        .header('location', `/api/v1/api-keys/${record.id}`)
        .header('cache-control', 'no-store')
        .send({ ...toApiKeyResponse(record), key })
    },
  )

  routes.get(
    '/api/v1/api-keys/:id',
    {
      config: { access },
      schema: {
        operationId: 'readApiKey',
        summary: 'Get an API key',
        description: ownerNote,
        params: KeyId,
        response: { 200: ApiKey },
      },
    },
    async (request, reply) => {
      const key = await apiKeys.read(selectorOf(request, request.params.id))
      if (key === undefined) throw noSuchKey()
      return reply.header('cache-control', 'no-store').send(toApiKeyResponse(key))
    },
  )

  routes.patch(
    '/api/v1/api-keys/:id',
    {
      config: { access },
      schema: {
        operationId: 'updateApiKey',
        summary: 'Update an API key',
        description: `Absent fields stay unchanged, also inside \`limits\`; null removes an expiry, one limit or all of them. The change applies at once. ${ownerNote}`,
        params: KeyId,
        body: Type.Partial(Type.Object({ name: nameField, expires_at: expiryField, limits: limitsField }), {
          additionalProperties: false,
          minProperties: 1,
        }),
        response: { 200: ApiKey },
      },
    },
    async (request, reply) => {
      refuseLimitedKey(request)
      const { name, expires_at: expiresAt, limits } = request.body
      const key = await apiKeys.update({
        ...selectorOf(request, request.params.id),
        name,
        expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
        limits,
        ...actorOf(request),
      })
      if (key === undefined) throw noSuchKey()
      return reply.header('cache-control', 'no-store').send(toApiKeyResponse(key))
    },
  )

  routes.delete(
    '/api/v1/api-keys/:id',
    {
      config: { access },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: `The key stops working at once. ${ownerNote}`,
        params: KeyId,
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
    },
    async (request, reply) => {
      const revoked = await apiKeys.revoke({ ...selectorOf(request, request.params.id), ...actorOf(request) })
      if (!revoked) throw noSuchKey()
      return reply.code(204).send(null)
    },
  )
}

function selectorOf(request: FastifyRequest, id: string) {
  const all = request.principal.permissions.has(allKeysPermission)
  return { id, ownerId: all ? null : callerOf(request).id }
}

function noSuchKey() {
  return kernelFailure('not_found', { message: 'There is no such API key.' })
}

function toApiKeyResponse(key: ApiKeyRecord) {
  return {
    ...key,
    scopes: key.scopes === null ? null : [...key.scopes],
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    limits: showLimits(key.limits),
  }
}

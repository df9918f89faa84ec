import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import type { ApiKeyRecord, ApiKeys } from '../api-keys/api-keys.ts'
import { askedBy } from '../asked-by.ts'
import type { Permission } from '../permissions.ts'
import { Id, listOf, nullable, OptionalTime } from '../shapes.ts'
import { callerOf } from './caller.ts'

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins, to tell it by.' }),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'What the key is limited to; null: whatever its owner may do.',
  }),
  user_id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: OptionalTime,
  last_used_at: OptionalTime,
}

const ApiKey = Type.Object(keyFields, { description: 'A key, without the key itself.' })

const NewApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key. It is shown this once.' }) },
  { description: 'The key was made.' },
)

const access = { signedIn: true } as const

/** Whoever has it may see and revoke the keys of others. */
const overAllKeys: Permission = 'administer users'

/** Keys for programs: made by their owner, shown once, revoked at once. */
export function addApiKeyRoutes(routes: HttpServer, apiKeys: ApiKeys): void {
  routes.get(
    '/api/v1/api-keys',
    {
      config: { access },
      schema: {
        operationId: 'listApiKeys',
        summary: 'API keys that are not revoked',
        description:
          'One’s own, the oldest first. With `owner=all` those of every account, which needs the permission `administer users`.',
        querystring: Type.Object({
          ...pageQuery,
          owner: Type.Enum(['me', 'all'], { default: 'me', description: 'Whose keys.' }),
        }),
        response: { 200: listOf(ApiKey, 'A page of keys.') },
      },
    },
    async (request, reply) => {
      const { limit, owner } = request.query
      if (owner === 'all' && !request.principal.permissions.has(overAllKeys)) {
        throw kernelFailure('permission_denied', {
          message: `You need the permission "${overAllKeys}" to see the keys of others.`,
          details: { permission: [overAllKeys] },
        })
      }
      const userId = owner === 'all' ? null : callerOf(request).id
      const { keys, total } = await apiKeys.list({ userId, limit, offset: offsetOf(request.query) })
      return reply.header('cache-control', 'no-store').send({ data: keys.map(tellKey), total })
    },
  )

  routes.post(
    '/api/v1/api-keys',
    {
      config: { access },
      schema: {
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description:
          'The key acts for the account that makes it. It goes into `Authorization: Bearer` or `X-API-Key`. An account can have 100.',
        body: Type.Object(
          {
            name: Type.String({ maxLength: 100, ...oneLine, description: 'What it is for.' }),
            scopes: Type.Optional(
              nullable(
                Type.Array(Type.String({ maxLength: 64 }), {
                  maxItems: 100,
                  description: 'Limits the key to these; without them it may do whatever its owner may.',
                }),
              ),
            ),
            expires_at: Type.Optional(
              nullable(
                Type.String({
                  format: 'date-time',
                  description: 'When it ends, at most 10 years ahead; without it, when it is revoked.',
                }),
              ),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 201: NewApiKey },
      },
    },
    async (request, reply) => {
      const { name, scopes = null, expires_at: expiresAt = null } = request.body
      const { key, ...record } = await apiKeys.create({
        userId: callerOf(request).id,
        name,
        scopes: scopes === null ? null : [...new Set(scopes)],
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        ...askedBy(request),
      })
      return reply
        .code(201)
        .header('location', `/api/v1/api-keys/${record.id}`)
        .header('cache-control', 'no-store')
        .send({ ...tellKey(record), key })
    },
  )

  routes.delete(
    '/api/v1/api-keys/:id',
    {
      config: { access },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'It stops working at once. One’s own; with the permission `administer users`, anyone’s.',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const ownerId = request.principal.permissions.has(overAllKeys) ? null : callerOf(request).id
      const revoked = await apiKeys.revoke({ id, ownerId, ...askedBy(request) })
      if (!revoked) throw kernelFailure('not_found', { message: 'There is no such API key.' })
      return reply.code(204).send(null)
    },
  )
}

function tellKey(key: ApiKeyRecord) {
  return {
    ...key,
    scopes: key.scopes === null ? null : [...key.scopes],
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
  }
}

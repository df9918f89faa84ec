import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { Id, listOf } from '../schemas.ts'
import { userSorts } from '../users/user.ts'
import { User, userFields } from '../users/user-schemas.ts'
import type { Users } from '../users/users.ts'

const access = { permission: 'administer users' } as const

const params = Type.Object({ id: Id })

/** Account administration. */
export function addUserRoutes(routes: HttpServer, users: Users): void {
  routes.get(
    '/api/v1/users',
    {
      config: { access },
      schema: {
        operationId: 'listUsers',
        summary: 'List accounts',
        description:
          'All accounts, or those that contain a search text, oldest first unless `sort` is given. The search is case-insensitive.',
        querystring: Type.Object({
          ...pageQuery,
          search: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'Only accounts with this text in username, display name or e-mail address.',
            }),
          ),
          sort: Type.Optional(
            Type.Enum([...userSorts], {
              default: 'created',
              description: 'The order of the list; accounts without a value come last.',
            }),
          ),
          order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' })),
        }),
        response: { 200: listOf(User, 'A page of accounts.') },
      },
    },
    async (request, reply) => {
      const { limit, search, sort, order } = request.query
      const { users: data, total } = await users.list({
        search,
        sort,
        descending: order === 'desc',
        limit,
        offset: offsetOf(request.query),
      })
      return reply.header('cache-control', 'no-store').send({ data: [...data], total })
    },
  )

  routes.post(
    '/api/v1/users',
    {
      config: { access },
      schema: {
        operationId: 'createUser',
        summary: 'Create an account',
        description:
          'The default tier is `professional`, or `custom` for an account with a role that has every permission.',
        body: Type.Object(
          {
            username: userFields.username,
            password: userFields.password,
            email: Type.Optional(userFields.email),
            display_name: Type.Optional(userFields.display_name),
            roles: Type.Optional(userFields.roles),
            tier: Type.Optional(userFields.tier),
          },
          { additionalProperties: false },
        ),
        response: { 201: User },
      },
    },
    async (request, reply) => {
      const { display_name: displayName, ...fields } = request.body
      const user = await users.create({ ...fields, displayName }, actorOf(request))
      return reply
        .code(201)
        .header('location', `/api/v1/users/${user.id}`)
        .header('cache-control', 'no-store')
        .send(user)
    },
  )

  routes.get(
    '/api/v1/users/:id',
    {
      config: { access },
      schema: {
        operationId: 'readUser',
        summary: 'Get an account',
        description: 'The account with its roles and permissions.',
        params,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const user = await users.find(request.params.id)
      if (user === undefined) throw noSuchUser()
      return reply.header('cache-control', 'no-store').send(user)
    },
  )

  routes.patch(
    '/api/v1/users/:id',
    {
      config: { access },
      schema: {
        operationId: 'changeUser',
        summary: 'Update an account',
        description:
          'Absent fields stay unchanged; `roles` replaces all roles. A new password, or disabling, ends the sessions and tokens of the account and withdraws its authorizations. You cannot disable your own account or remove the last administrator.',
        params,
        body: Type.Object(
          {
            username: Type.Optional(userFields.username),
            email: Type.Optional(userFields.email),
            display_name: Type.Optional(userFields.display_name),
            roles: Type.Optional(userFields.roles),
            tier: Type.Optional(userFields.tier),
            password: Type.Optional(userFields.password),
            disabled: Type.Optional(
              Type.Boolean({
                description: 'The API keys of a disabled account stay stored but do not work.',
              }),
            ),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const { display_name: displayName, ...fields } = request.body
      const user = await users.change(request.params.id, { ...fields, displayName }, actorOf(request))
      if (user === undefined) throw noSuchUser()
      return reply.header('cache-control', 'no-store').send(user)
    },
  )

  routes.delete(
    '/api/v1/users/:id',
    {
      config: { access },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete an account',
        description:
          'Also deletes its sessions, tokens, API keys and OAuth clients. You cannot delete your own account or the last administrator.',
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      if (!(await users.remove(request.params.id, actorOf(request)))) throw noSuchUser()
      return reply.code(204).send(null)
    },
  )
}

function noSuchUser() {
  return kernelFailure('not_found', { message: 'There is no such account.' })
}

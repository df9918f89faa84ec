import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { askedBy } from '../asked-by.ts'
import { Id, listOf } from '../shapes.ts'
import { userFields } from '../users/user-fields.ts'
import { User } from '../users/user-shapes.ts'
import type { Users } from '../users/users.ts'

const access = { permission: 'administer users' } as const

const params = Type.Object({ id: Id })

/** The accounts of the platform, for those who administer them. */
export function addUserRoutes(routes: HttpServer, users: Users): void {
  routes.get(
    '/api/v1/users',
    {
      config: { access },
      schema: {
        operationId: 'listUsers',
        summary: 'Accounts, the oldest first',
        description: 'All of them, or those in which a text is found. Case does not matter.',
        querystring: Type.Object({
          ...pageQuery,
          search: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'Only those with this text in username, display name or e-mail address.',
            }),
          ),
        }),
        response: { 200: listOf(User, 'A page of accounts.') },
      },
    },
    async (request, reply) => {
      const { limit, search } = request.query
      const { users: data, total } = await users.list({ search, limit, offset: offsetOf(request.query) })
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
          'The tier is `professional` where none is given, and `custom` for an account with a role that allows everything.',
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
      const user = await users.create({ ...fields, displayName }, askedBy(request))
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
        summary: 'One account',
        description: 'With its roles, and what they allow together.',
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
        summary: 'Change an account',
        description:
          'What is left out stays as it is; `roles` replaces all of them. It holds at once. Another password, or disabling, ends the sessions and tokens of the account and shuts out the applications it let in. The last administrator stays one, and nobody disables themselves.',
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
              Type.Boolean({ description: 'A disabled account keeps its keys, but none of them works.' }),
            ),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const { display_name: displayName, ...fields } = request.body
      const user = await users.change(request.params.id, { ...fields, displayName }, askedBy(request))
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
          'Its sessions, tokens, API keys and OAuth clients go with it. Neither one’s own account nor the last administrator can be deleted.',
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      if (!(await users.remove(request.params.id, askedBy(request)))) throw noSuchUser()
      return reply.code(204).send(null)
    },
  )
}

function noSuchUser() {
  return kernelFailure('not_found', { message: 'There is no such account.' })
}

import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { permissionDescriptions, permissions } from '../permissions.ts'
import { Role } from '../roles/role-schema.ts'
import type { Roles } from '../roles/roles.ts'
import { listOf } from '../schemas.ts'
import { scopeNames, scopes } from '../scopes.ts'

const access = { permission: 'administer users' } as const

const roleName = '^[a-z][a-z0-9_]{0,63}$'
const roleMeans = 'must be lower-case letters, digits and _, and begin with a letter'

const params = Type.Object({ name: Type.String({ pattern: roleName, 'x-means': roleMeans }) })

const label = Type.String({ maxLength: 100, ...oneLine, description: 'Name shown to people.' })

const permissionList = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 200,
  description: 'Permission names from `GET /api/v1/permissions`.',
})

/** Roles, and the permissions and scopes they can have. */
export function addRoleRoutes(routes: HttpServer, roles: Roles): void {
  routes.get(
    '/api/v1/roles',
    {
      config: { access },
      schema: {
        operationId: 'listRoles',
        summary: 'List roles',
        description:
          'Every account has the role `authenticated`, and callers without an account have `anonymous`; neither can be assigned.',
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Role, 'A page of roles.') },
      },
    },
    async (request, reply) => {
      const { limit } = request.query
      const { roles: data, total } = await roles.list({ limit, offset: offsetOf(request.query) })
      return reply.header('cache-control', 'no-store').send({ data: [...data], total })
    },
  )

  routes.post(
    '/api/v1/roles',
    {
      config: { access },
      schema: {
        operationId: 'createRole',
        summary: 'Create a role',
        description: 'The role can be assigned to accounts at once.',
        body: Type.Object(
          {
            name: Type.String({
              pattern: roleName,
              'x-means': roleMeans,
              description: 'Lower-case letters, digits and `_`. The name cannot be changed later.',
            }),
            label,
            permissions: permissionList,
          },
          { additionalProperties: false },
        ),
        response: { 201: Role },
      },
    },
    async (request, reply) => {
      const role = await roles.create(request.body, actorOf(request))
      return reply
        .code(201)
        .header('location', `/api/v1/roles/${role.name}`)
        .header('cache-control', 'no-store')
        .send(role)
    },
  )

  routes.patch(
    '/api/v1/roles/:name',
    {
      config: { access },
      schema: {
        operationId: 'changeRole',
        summary: 'Update a role',
        description:
          'The change applies at once to every account with the role. The role `administrator` always has every permission.',
        params,
        body: Type.Object(
          { label: Type.Optional(label), permissions: Type.Optional(permissionList) },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: Role },
      },
    },
    async (request, reply) => {
      const role = await roles.change(request.params.name, request.body, actorOf(request))
      if (role === undefined) throw noSuchRole(request.params.name)
      return reply.header('cache-control', 'no-store').send(role)
    },
  )

  routes.delete(
    '/api/v1/roles/:name',
    {
      config: { access },
      schema: {
        operationId: 'deleteRole',
        summary: 'Delete a role',
        description: 'The role is removed from every account. Built-in roles cannot be deleted.',
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      if (!(await roles.remove(name, actorOf(request)))) throw noSuchRole(name)
      return reply.code(204).send(null)
    },
  )

  const Permission = Type.Object({ name: Type.String(), about: Type.String() })
  routes.get(
    '/api/v1/permissions',
    {
      config: { access },
      schema: {
        operationId: 'listPermissions',
        summary: 'List permissions',
        description: 'All permissions that a role can have. Later releases may add more.',
        response: { 200: listOf(Permission, 'All permissions.') },
      },
    },
    async () => ({
      data: permissions.map((name) => ({ name, about: permissionDescriptions[name] })),
      total: permissions.length,
    }),
  )

  const Scope = Type.Object({
    name: Type.String(),
    about: Type.String(),
    permissions: Type.Array(Type.String(), {
      description: 'Permissions of the account that the scope allows.',
    }),
  })
  routes.get(
    '/api/v1/scopes',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'listScopes',
        summary: 'List scopes',
        description:
          'All scopes that an API key or an application can be limited to. A scope never allows more than the permissions of the account.',
        response: { 200: listOf(Scope, 'All scopes.') },
      },
    },
    async () => ({
      data: scopeNames.map((name) => ({ name, ...scopes[name], permissions: [...scopes[name].permissions] })),
      total: scopeNames.length,
    }),
  )
}

function noSuchRole(name: string) {
  return kernelFailure('not_found', { message: `There is no role "${name}".` })
}

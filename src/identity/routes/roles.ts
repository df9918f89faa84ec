import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, oneLine, pageQuery } from '#kernel/http'
import { askedBy } from '../asked-by.ts'
import { aboutPermissions, permissions } from '../permissions.ts'
import { Role } from '../roles/role-shape.ts'
import type { Roles } from '../roles/roles.ts'
import { scopeNames, scopes } from '../scopes.ts'
import { listOf } from '../shapes.ts'

const access = { permission: 'administer users' } as const

const roleName = '^[a-z][a-z0-9_]{0,63}$'
const roleMeans = 'must be lower-case letters, digits and _, and begin with a letter'

const params = Type.Object({ name: Type.String({ pattern: roleName, 'x-means': roleMeans }) })

const label = Type.String({ maxLength: 100, ...oneLine, description: 'What people see.' })

const permissionList = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 200,
  description: 'Names that `GET /api/v1/permissions` lists.',
})

/** Roles, and the words they are made of. */
export function addRoleRoutes(routes: HttpServer, roles: Roles): void {
  routes.get(
    '/api/v1/roles',
    {
      config: { access },
      schema: {
        operationId: 'listRoles',
        summary: 'Roles and what they allow',
        description:
          'Every account has the role `authenticated`, and who has none has `anonymous`; neither is given to anybody.',
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
        description: 'It is there to be given to accounts at once.',
        body: Type.Object(
          {
            name: Type.String({
              pattern: roleName,
              'x-means': roleMeans,
              description: 'Lower-case letters, digits and `_`; it cannot be changed later.',
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
      const role = await roles.create(request.body, askedBy(request))
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
        summary: 'Change a role',
        description:
          'It holds at once for everyone who has the role. The permissions of `administrator` are always all of them.',
        params,
        body: Type.Object(
          { label: Type.Optional(label), permissions: Type.Optional(permissionList) },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: Role },
      },
    },
    async (request, reply) => {
      const role = await roles.change(request.params.name, request.body, askedBy(request))
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
        description: 'Whoever has it loses it. The roles that came with the platform stay.',
        params,
        response: { 204: Type.Null({ description: 'Deleted.' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      if (!(await roles.remove(name, askedBy(request)))) throw noSuchRole(name)
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
        summary: 'Permissions a role can have',
        description: 'All of them, with what each allows. A later release may have more.',
        response: { 200: listOf(Permission, 'All permissions.') },
      },
    },
    async () => ({
      data: permissions.map((name) => ({ name, about: aboutPermissions[name] })),
      total: permissions.length,
    }),
  )

  const Scope = Type.Object({
    name: Type.String(),
    about: Type.String(),
    permissions: Type.Array(Type.String(), { description: 'Permissions of the account it lets through.' }),
  })
  routes.get(
    '/api/v1/scopes',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'listScopes',
        summary: 'Scopes a key or an application can be limited to',
        description:
          'A credential with a scope reaches what the scope names, and only where its account may go, too.',
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

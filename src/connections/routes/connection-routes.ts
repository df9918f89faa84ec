import type { HttpServer } from '#kernel/http'
import type { SecretFields } from '../connection.ts'
import type { ConnectionChange } from '../connections.ts'
import {
  accountOf,
  authorOf,
  type ConnectionRoutesOptions,
  requireSharing,
  usesConnections,
} from './callers.ts'
import { ChangedConnection, NewConnectionBody, nameParams, TestBody } from './requests.ts'
import { ConnectionResponse, describeConnection, Removed, TestResponse } from './responses.ts'

/** Adds, changes, deletes and tests connections. */
export function addConnectionChangeRoutes(
  routes: HttpServer,
  { connections, prefix, rates }: ConnectionRoutesOptions,
): void {
  const config = { access: usesConnections, ratePolicy: rates.reads }
  const path = `${prefix}/connections`

  routes.post(
    path,
    {
      config,
      schema: {
        operationId: 'addConnection',
        summary: 'Add a connection',
        description:
          'Stores credentials that HTTP steps use with `api.connection`. They are encrypted, and no request returns them. An account can have 200 secrets and connections.',
        body: NewConnectionBody,
        response: { 201: ConnectionResponse },
      },
    },
    async (request, reply) => {
      const {
        name,
        kind,
        settings = {},
        credentials,
        allowed_hosts: allowedHosts,
        shared = false,
      } = request.body
      if (shared) requireSharing(request.principal)
      const author = authorOf(request)
      const wanted = { kind, settings, fields: fieldsOf(credentials), allowedHosts, shared }
      const added = await connections.add(name, wanted, author)
      return reply
        .code(201)
        .headers({ location: `${path}/${name}`, 'cache-control': 'no-store' })
        .send(describeConnection(added, author.by))
    },
  )

  routes.put(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'changeConnection',
        summary: 'Change a connection',
        description:
          'Changes one of your connections. Fields that are left out stay as they are; `settings` are replaced as a whole. A new host needs the credentials again: they are never sent to a host that they were not stored for.',
        params: nameParams,
        body: ChangedConnection,
        response: { 200: ConnectionResponse },
      },
    },
    async (request, reply) => {
      const { settings, credentials, allowed_hosts: allowedHosts, shared } = request.body
      const author = authorOf(request)
      const before = await connections.read('connection', author.by, request.params.name)
      if (shared === true || before.shared) requireSharing(request.principal)
      const change: ConnectionChange = {
        ...(settings !== undefined && { settings }),
        ...(credentials !== undefined && { fields: fieldsOf(credentials) }),
        ...(allowedHosts !== undefined && { allowedHosts }),
        ...(shared !== undefined && { shared }),
      }
      const changed = await connections.change('connection', request.params.name, change, author)
      return reply.header('cache-control', 'no-store').send(describeConnection(changed, author.by))
    },
  )

  routes.delete(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'deleteConnection',
        summary: 'Delete a connection',
        description: 'Deletes one of your connections. Steps that name it fail from then on.',
        params: nameParams,
        response: { 200: Removed },
      },
    },
    async (request) => {
      const { name } = request.params
      await connections.remove('connection', name, authorOf(request))
      return { success: true as const, name, status: 'deleted' as const }
    },
  )

  routes.post(
    `${path}/:name/test`,
    {
      config: { access: usesConnections, ratePolicy: rates.sends },
      schema: {
        operationId: 'testConnection',
        summary: 'Test a connection',
        description:
          'Sends one GET request with the credentials to an allowed host; for OAuth, a token is requested first. The status is 200 even if the test fails.',
        params: nameParams,
        body: TestBody,
        response: { 200: TestResponse },
      },
    },
    async ({ principal, params: { name }, body, server }) =>
      await connections.test(accountOf(principal), name, { url: body?.url, signal: server.closing }),
  )
}

function fieldsOf(credentials: Readonly<Record<string, string | undefined>>): SecretFields {
  return Object.fromEntries(
    Object.entries(credentials).filter((field): field is [string, string] => field[1] !== undefined),
  )
}

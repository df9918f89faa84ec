import type { HttpServer } from '#kernel/http'
import type { ConnectionChange } from '../connections.ts'
import { authorOf, type ConnectionRoutesOptions, requireSharing, usesConnections } from './callers.ts'
import { ChangedSecret, NewSecret, nameParams } from './requests.ts'
import { describeSecret, Removed, SecretResponse } from './responses.ts'

/** Adds, changes and deletes secrets. */
export function addSecretChangeRoutes(
  routes: HttpServer,
  { connections, prefix, rates }: ConnectionRoutesOptions,
): void {
  const config = { access: usesConnections, ratePolicy: rates.reads }
  const path = `${prefix}/secrets`

  routes.post(
    path,
    {
      config,
      schema: {
        operationId: 'addSecret',
        summary: 'Add a secret',
        description:
          'Stores a value that HTTP steps name as `{{secrets.name}}`. It is encrypted, and no request returns it. An account can have 200 secrets and connections.',
        body: NewSecret,
        response: { 201: SecretResponse },
      },
    },
    async (request, reply) => {
      const { name, value, allowed_hosts: allowedHosts, shared = false } = request.body
      if (shared) requireSharing(request.principal)
      const author = authorOf(request)
      const wanted = { kind: 'secret' as const, settings: {}, fields: { value }, allowedHosts, shared }
      const added = await connections.add(name, wanted, author)
      return reply
        .code(201)
        .headers({ location: `${path}/${name}`, 'cache-control': 'no-store' })
        .send(describeSecret(added, author.by))
    },
  )

  routes.put(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'changeSecret',
        summary: 'Change a secret',
        description:
          'Changes one of your secrets. Fields that are left out stay as they are. A new host needs the value again: a secret is never sent to a host that it was not stored for.',
        params: nameParams,
        body: ChangedSecret,
        response: { 200: SecretResponse },
      },
    },
    async (request, reply) => {
      const { value, allowed_hosts: allowedHosts, shared } = request.body
      const author = authorOf(request)
      const before = await connections.read('secret', author.by, request.params.name)
      if (shared === true || before.shared) requireSharing(request.principal)
      const change: ConnectionChange = {
        ...(value !== undefined && { fields: { value } }),
        ...(allowedHosts !== undefined && { allowedHosts }),
        ...(shared !== undefined && { shared }),
      }
      const changed = await connections.change('secret', request.params.name, change, author)
      return reply.header('cache-control', 'no-store').send(describeSecret(changed, author.by))
    },
  )

  routes.delete(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'deleteSecret',
        summary: 'Delete a secret',
        description: 'Deletes one of your secrets. Steps that name it fail from then on.',
        params: nameParams,
        response: { 200: Removed },
      },
    },
    async (request) => {
      const { name } = request.params
      await connections.remove('secret', name, authorOf(request))
      return { success: true as const, name, status: 'deleted' as const }
    },
  )
}

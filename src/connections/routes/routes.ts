import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { accountOf, type ConnectionRoutesOptions, usesConnections } from './callers.ts'
import { addConnectionChangeRoutes } from './connection-routes.ts'
import { nameParams } from './requests.ts'
import {
  ConnectionList,
  ConnectionWithUse,
  describeConnection,
  describeSecret,
  SecretList,
  SecretWithUse,
} from './responses.ts'
import { addSecretChangeRoutes } from './secret-routes.ts'

/** Adds the routes with which accounts manage their secrets and connections. */
export function addConnectionRoutes(routes: HttpServer, options: ConnectionRoutesOptions): void {
  addReadRoutes(routes, options)
  addSecretChangeRoutes(routes, options)
  addConnectionChangeRoutes(routes, options)
}

function addReadRoutes(
  routes: HttpServer,
  { connections, prefix, rates, findFlows }: ConnectionRoutesOptions,
): void {
  const config = { access: usesConnections, ratePolicy: rates.reads }
  const querystring = Type.Object(pageQuery, { additionalProperties: false })

  async function flowsNaming(part: 'secret' | 'connection', name: string) {
    return (await findFlows(part, name)).map(({ flowId, label }) => ({ flow_id: flowId, label }))
  }

  routes.get(
    `${prefix}/secrets`,
    {
      config,
      schema: {
        operationId: 'listSecrets',
        summary: 'List secrets',
        description:
          'Lists your secrets and the shared ones of other accounts, by name. Values are never returned.',
        querystring,
        response: { 200: SecretList },
      },
    },
    async ({ principal, query }, reply) => {
      const account = accountOf(principal)
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { found, total } = await connections.list('secret', account, page)
      return reply
        .header('cache-control', 'no-store')
        .send({ secrets: found.map((row) => describeSecret(row, account)), total })
    },
  )

  routes.get(
    `${prefix}/secrets/:name`,
    {
      config,
      schema: {
        operationId: 'readSecret',
        summary: 'Get a secret',
        description: 'Your own, else the shared one of this name. The value is never returned.',
        params: nameParams,
        response: { 200: SecretWithUse },
      },
    },
    async ({ principal, params: { name } }, reply) => {
      const account = accountOf(principal)
      const found = describeSecret(await connections.read('secret', account, name), account)
      return reply
        .header('cache-control', 'no-store')
        .send({ ...found, used_by: await flowsNaming('secret', name) })
    },
  )

  routes.get(
    `${prefix}/connections`,
    {
      config,
      schema: {
        operationId: 'listConnections',
        summary: 'List connections',
        description:
          'Lists your connections and the shared ones of other accounts, by name. Credentials are never returned.',
        querystring,
        response: { 200: ConnectionList },
      },
    },
    async ({ principal, query }, reply) => {
      const account = accountOf(principal)
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { found, total } = await connections.list('connection', account, page)
      return reply
        .header('cache-control', 'no-store')
        .send({ connections: found.map((row) => describeConnection(row, account)), total })
    },
  )

  routes.get(
    `${prefix}/connections/:name`,
    {
      config,
      schema: {
        operationId: 'readConnection',
        summary: 'Get a connection',
        description: 'Your own, else the shared one of this name. Credentials are never returned.',
        params: nameParams,
        response: { 200: ConnectionWithUse },
      },
    },
    async ({ principal, params: { name } }, reply) => {
      const account = accountOf(principal)
      const found = describeConnection(await connections.read('connection', account, name), account)
      return reply
        .header('cache-control', 'no-store')
        .send({ ...found, used_by: await flowsNaming('connection', name) })
    },
  )
}

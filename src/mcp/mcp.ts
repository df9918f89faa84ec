import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { baseUrlOf } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import {
  type ApiDefinition,
  type ErrorView,
  type HttpServer,
  perCaller,
  plainErrorFormat,
  registerApi,
} from '#kernel/http'
import { addMcpRoute } from './mcp-route.ts'
import type { McpOptions } from './route-options.ts'

/** The MCP server of the platform. */
export interface Mcp {
  /** Registers the HTTP API. */
  readonly register: (app: HttpServer) => Promise<void>
}

/** Creates the MCP server. It stores nothing and does not throw. */
export function createMcp(options: McpOptions): Mcp {
  return {
    register: (app) =>
      registerApi(app, mcpApi, (routes) => {
        addResourceMetadata(routes, options.publicUrl)
        addMcpRoute(routes, app, options)
      }),
  }
}

/** The error numbers of JSON-RPC; other errors get the number for server errors. */
const jsonRpcCodes: Readonly<Record<string, number>> = {
  parse_error: -32_700,
  invalid_request: -32_600,
  internal_error: -32_603,
}
const serverError = -32_000

/** The HTTP API of MCP. Errors before a message is read have the format of JSON-RPC as well. */
const mcpApi: ApiDefinition = {
  name: 'mcp',
  title: 'MCP',
  version: '1.0.0',
  description: 'Flows, executions and models as tools of the Model Context Protocol.',
  prefixes: ['/mcp', '/.well-known/oauth-protected-resource'],
  errorCodes: { ...plainErrorFormat.errorCodes, malformed_body: 'parse_error' },
  errorBody: ({ code, message, details, problems, requestId }: ErrorView) => ({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: jsonRpcCodes[code] ?? serverError,
      message,
      data: {
        code,
        ...(Object.keys(details).length > 0 && { details }),
        ...(problems.length > 0 && { problems }),
        request_id: requestId,
      },
    },
  }),
  errorSchema: Type.Object({
    jsonrpc: Type.Enum(['2.0']),
    id: Type.Unsafe<null>({ type: 'string', nullable: true, description: 'Always null.' }),
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(
        Type.Object(
          { code: Type.String(), request_id: Type.String() },
          {
            additionalProperties: true,
            description: 'The error code as text, and details. Absent for errors of the protocol itself.',
          },
        ),
      ),
    }),
  }),
  // The API calls of tools count against the limits of their own APIs; this limit is for MCP messages.
  ratePolicy: perCaller({
    name: 'mcp',
    signedIn: { limit: 600, windowSeconds: 60 },
    anonymous: { limit: 60, windowSeconds: 60 },
  }),
}

const wellKnown = '/.well-known/oauth-protected-resource'

const ResourceMetadata = Type.Object(
  {
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_name: Type.String(),
    resource_documentation: Type.String(),
  },
  { description: 'The authorization servers and scopes of `/mcp`.' },
)

/** The protected resource metadata of RFC 9728: where clients get a token. */
function addResourceMetadata(routes: HttpServer, publicUrl: string | undefined): void {
  for (const path of [wellKnown, `${wellKnown}/mcp`]) {
    routes.get(
      path,
      {
        config: { access: { open: 'clients read it before they have a credential' } },
        schema: {
          operationId: path === wellKnown ? 'readResourceMetadata' : 'readMcpResourceMetadata',
          summary: 'Get the protected resource metadata',
          description: 'The authorization servers and scopes for MCP clients, as defined by RFC 9728.',
          response: { 200: ResourceMetadata },
        },
      },
      async (request, reply) => {
        const origin = originOf(request, publicUrl)
        if (origin === undefined) throw invalidHost()
        return reply.header('cache-control', 'public, max-age=300').send(describe(origin))
      },
    )
  }
  // Adds the URL of the metadata to the kernel's 401 challenge.
  routes.addHook('onSend', async (request, reply) => {
    const challenge = reply.getHeader('www-authenticate')
    const origin = originOf(request, publicUrl)
    if (typeof challenge !== 'string' || !challenge.startsWith('Bearer') || origin === undefined) return
    reply.header('www-authenticate', `${challenge}, resource_metadata="${origin}${wellKnown}/mcp"`)
  })
}

function describe(origin: string): Static<typeof ResourceMetadata> {
  return {
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    // The scopes that all tools together need: clients request all of them.
    scopes_supported: ['models.read', 'workflows.run'],
    bearer_methods_supported: ['header'],
    resource_name: 'Tutti',
    resource_documentation: `${origin}/docs#mcp`,
  }
}

/** The Host header is untrusted and becomes part of a header and a URL: undefined when it is not a plain host. */
function originOf(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  const url = baseUrlOf(request, publicUrl, '')
  if (!URL.canParse(url)) return undefined
  const { host, origin } = new URL(url)
  // A URL may contain a quotation mark in its host, which would end the quoted value of the header.
  return /^[a-z0-9._:[\]-]+$/.test(host) ? origin : undefined
}

function invalidHost() {
  return kernelFailure('invalid_input', { message: 'The Host header is not a valid host name.' })
}

import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { baseUrlOf } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'

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
export function addResourceMetadata(routes: HttpServer, publicUrl: string | undefined): void {
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

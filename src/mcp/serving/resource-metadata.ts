import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { baseUrlOf } from '#runs'

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
  { description: 'Who gives out tokens for `/mcp`, and which scopes they can have there.' },
)

/** Tells clients without a credential where to get one, as RFC 9728 writes it. */
export function addResourceMetadata(routes: HttpServer, publicUrl: string | undefined): void {
  for (const path of [wellKnown, `${wellKnown}/mcp`]) {
    routes.get(
      path,
      {
        config: { access: { open: 'clients read it before they know anything' } },
        schema: {
          operationId: path === wellKnown ? 'readResourceMetadata' : 'readMcpResourceMetadata',
          summary: 'Where tokens for MCP clients come from, as RFC 9728 writes it',
          response: { 200: ResourceMetadata },
        },
      },
      async (request, reply) => {
        const origin = originOf(request, publicUrl)
        if (origin === undefined) throw noHost()
        return reply.header('cache-control', 'public, max-age=300').send(describe(origin))
      },
    )
  }
  // The kernel says that somebody has to sign in; where, only this interface knows.
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
    // What all tools together need: clients ask for all that stands here.
    scopes_supported: ['models.read', 'workflows.run'],
    bearer_methods_supported: ['header'],
    resource_name: 'Tutti',
    resource_documentation: `${origin}/docs#mcp`,
  }
}

/** A Host header can say anything, and this goes into a header and an address: undefined when it is no host. */
function originOf(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  const url = baseUrlOf(request, publicUrl, '')
  if (!URL.canParse(url)) return undefined
  const { host, origin } = new URL(url)
  // Addresses may have a quotation mark in their host, and it would end the one of the header.
  return /^[a-z0-9._:[\]-]+$/.test(host) ? origin : undefined
}

function noHost() {
  return kernelFailure('invalid_input', { message: 'The Host header is not the name of a host.' })
}

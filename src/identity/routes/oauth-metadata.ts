import type { HttpServer } from '#kernel/http'
import { describeServer, ServerMetadata } from '../oauth/metadata.ts'
import { issuerOf } from '../tokens/issuer.ts'

/** Tells clients where everything is. */
export function addOAuthMetadataRoute(
  routes: HttpServer,
  { publicUrl }: { readonly publicUrl: string | undefined },
): void {
  routes.get(
    '/.well-known/oauth-authorization-server',
    {
      config: { access: { open: 'clients read it before they know anything' } },
      schema: {
        operationId: 'readServerMetadata',
        summary: 'What this authorization server can do, as RFC 8414 writes it',
        response: { 200: ServerMetadata },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(describeServer(issuerOf(request, publicUrl))),
  )
}

import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { grantTypes } from '../oauth/client.ts'
import { scopeNames } from '../scopes.ts'
import { issuerOf } from '../tokens/issuer.ts'

/** The authorization server metadata of RFC 8414. */
export function addOAuthMetadataRoute(
  routes: HttpServer,
  { publicUrl }: { readonly publicUrl: string | undefined },
): void {
  routes.get(
    '/.well-known/oauth-authorization-server',
    {
      config: { access: { open: 'clients read it before they register' } },
      schema: {
        operationId: 'readServerMetadata',
        summary: 'Get the authorization server metadata',
        description: 'The endpoints and capabilities of the authorization server, as defined by RFC 8414.',
        response: { 200: ServerMetadata },
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(describeServer(issuerOf(request, publicUrl))),
  )
}

const Names = Type.Array(Type.String())

const ServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    jwks_uri: Type.String(),
    scopes_supported: Names,
    response_types_supported: Names,
    response_modes_supported: Names,
    grant_types_supported: Names,
    code_challenge_methods_supported: Names,
    token_endpoint_auth_methods_supported: Names,
    revocation_endpoint_auth_methods_supported: Names,
    introspection_endpoint_auth_methods_supported: Names,
    authorization_response_iss_parameter_supported: Type.Boolean(),
    prompt_values_supported: Names,
    service_documentation: Type.String(),
  },
  { description: 'The endpoints and capabilities of this authorization server.' },
)

function describeServer(issuer: string): Static<typeof ServerMetadata> {
  const withSecret = ['client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...scopeNames],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...withSecret, 'none'],
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none'],
    introspection_endpoint_auth_methods_supported: [...withSecret],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'consent'],
    service_documentation: `${issuer}/docs`,
  }
}

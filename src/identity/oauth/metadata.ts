import { type Static, Type } from 'typebox'
import { scopeNames } from '../scopes.ts'
import { grantTypes } from './client.ts'

const Names = Type.Array(Type.String())

/** What a client finds out about this server before it talks to it, as RFC 8414 writes it. */
export const ServerMetadata = Type.Object(
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
  { description: 'The addresses and abilities of this authorization server.' },
)

export function describeServer(issuer: string): Static<typeof ServerMetadata> {
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

import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { SigningKeys } from '../tokens/signing-keys.ts'

/** Publishes the keys that verify access tokens. */
export function addKeySetRoute(routes: HttpServer, keys: SigningKeys): void {
  routes.get(
    '/.well-known/jwks.json',
    {
      config: { access: { open: 'public keys are for everyone' } },
      schema: {
        operationId: 'readKeySet',
        summary: 'Get the JSON Web Key Set',
        description: 'The public keys that verify access tokens.',
        response: {
          200: Type.Object(
            { keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true })) },
            { description: 'Every key that a valid token may be signed with.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const keySet = { keys: (await keys.published()).map((key) => ({ ...key, kty: key.kty ?? '' })) }
      return reply.header('cache-control', 'public, max-age=300').send(keySet)
    },
  )
}

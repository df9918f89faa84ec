import swagger from '@fastify/swagger'
import type { OpenAPIV3 } from 'openapi-types'
import { describeAccess } from '../access.ts'
import type { HttpServer } from '../http-server.ts'

const securitySchemes: Record<string, OpenAPIV3.SecuritySchemeObject> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SESS',
    description: 'The cookie a browser gets by signing in.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
  basic: { type: 'http', scheme: 'basic', description: 'Username and password.' },
}

/** Starts collecting every route that is registered from here on into one OpenAPI 3.0.3 document. */
export async function collectOpenApi(app: HttpServer, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Tutti',
        version,
        description: 'Every interface of the platform in one description.',
        license: { name: 'MIT' },
      },
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { access, undocumented } = route.config ?? {}
      const told = { ...schema, hide: undocumented === true || schema?.hide === true }
      if (access === undefined) return { schema: told, url }
      const open = 'open' in access
      return {
        url,
        schema: {
          ...told,
          security: open ? [] : [{ session: [] }, { bearer: [] }, { basic: [] }],
          'x-access': describeAccess(access),
        },
      }
    },
  })
}

import swagger from '@fastify/swagger'
import type { OpenAPIV3 } from 'openapi-types'
import { describeAccess } from '../access.ts'
import type { HttpServer } from '../http-server.ts'

const securitySchemes: Record<string, OpenAPIV3.SecuritySchemeObject> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SESS',
    description: 'The session cookie that a browser gets by signing in.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'Username and password.' },
}

/** Every operation accepts every kind of credential: permissions and scopes decide. */
const anyCredential = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

/** Collects all routes registered from now on into one OpenAPI 3.0.3 document. */
export async function collectOpenApi(app: HttpServer, version: string): Promise<void> {
  const pages = new Set<string>()
  app.addHook('onRoute', ({ method, url, constraints }) => {
    if (constraints !== undefined && 'wants' in constraints) pages.add(`${String(method)} ${url}`)
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Tutti',
        version,
        description: 'All APIs of the platform in one description.',
        license: { name: 'MIT' },
      },
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { access, undocumented } = route.config ?? {}
      const hide = undocumented === true || schema?.hide === true
      const hasPage = !hide && pages.has(`${String(route.method)} ${route.url}`)
      const described = { ...schema, ...(hasPage && { response: withPage(schema?.response) }), hide }
      if (access === undefined) return { schema: described, url }
      const open = 'open' in access
      return {
        url,
        schema: {
          ...described,
          security: open ? [] : anyCredential,
          'x-access': describeAccess(access),
        },
      }
    },
  })
}

/** For two routes with the same path: the described one sends data, the other a page to clients that prefer one. */
function withPage(response: unknown): object {
  const { 200: data, ...others } = response as { readonly 200: { readonly description?: string } }
  return {
    200: {
      description: data.description ?? '',
      content: { 'application/json': { schema: data }, 'text/html': { schema: { type: 'string' } } },
    },
    ...others,
  }
}

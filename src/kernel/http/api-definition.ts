import { type TSchema, Type } from 'typebox'
import type { KernelFailureCode, Problem } from '#kernel/errors'
import type { HttpServer } from './http-server.ts'
import type { RatePolicy } from './request-limits.ts'

/** A failure as an API's `errorBody` receives it. */
export interface ErrorView {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string
  /** Scheme and host of the request; empty when unknown. */
  readonly origin: string
  readonly at: Date
}

/** The error code an API uses for a failure, with a status where it differs from the failure's own. */
type ErrorCode = string | { readonly code: string; readonly status: number }

/** One of the platform's HTTP APIs: path prefixes with one error format and one OpenAPI description. */
export interface ApiDefinition {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly description: string
  /** Path prefixes of the API, also for paths without a route. The longest match wins. */
  readonly prefixes: readonly string[]
  /** The API's error code for each kernel failure; failures of other modules may be listed too. */
  readonly errorCodes: Readonly<Record<KernelFailureCode, ErrorCode> & Record<string, ErrorCode>>
  readonly errorBody: (error: ErrorView) => unknown
  readonly errorSchema: TSchema
  /** Rate limit of the API's requests, unless a route has its own; without one they are not limited. */
  readonly ratePolicy?: RatePolicy
}

/** Registers the routes of an API: they use its error format and appear in its OpenAPI description. Throws for a path outside its prefixes. */
export async function registerApi(
  app: HttpServer,
  definition: ApiDefinition,
  addRoutes: (routes: HttpServer) => void | Promise<void>,
): Promise<void> {
  app.interfaces.push(definition)
  await app.register(async (scope) => {
    const routes = scope as unknown as HttpServer
    routes.addHook('onRoute', (route) => {
      if (apiOfPath([definition], route.url) === undefined) {
        throw new Error(`${route.url} is outside the prefixes of the ${definition.name} API`)
      }
      route.config = { ...route.config, interfaceName: definition.name }
      route.schema = { ...route.schema, tags: [definition.name] }
    })
    await addRoutes(routes)
  })
}

/** Finds the API a path belongs to, even if no route matches it. */
export function apiOfPath(interfaces: readonly ApiDefinition[], path: string): ApiDefinition | undefined {
  let best: ApiDefinition | undefined
  let bestLength = -1
  for (const candidate of interfaces) {
    for (const prefix of candidate.prefixes) {
      const inside = path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
      if (inside && prefix.length > bestLength) {
        best = candidate
        bestLength = prefix.length
      }
    }
  }
  return best
}

/** The error format that most APIs share: lower-case codes in `{error: {code, message, …}}`. */
export const plainErrorFormat: Pick<ApiDefinition, 'errorCodes' | 'errorBody' | 'errorSchema'> = {
  errorCodes: {
    malformed_body: 'invalid_request',
    invalid_input: 'invalid_request',
    authentication_required: 'authentication_required',
    permission_denied: 'permission_denied',
    insufficient_scope: 'insufficient_scope',
    not_found: 'not_found',
    method_not_allowed: 'method_not_allowed',
    request_timeout: 'request_timeout',
    conflict: 'conflict',
    body_too_large: 'body_too_large',
    unsupported_media_type: 'unsupported_media_type',
    headers_too_large: 'headers_too_large',
    too_many_requests: 'rate_limited',
    internal: 'internal_error',
    overloaded: 'overloaded',
    database_unavailable: 'database_unavailable',
    shutting_down: 'shutting_down',
  },
  errorBody: ({ code, message, details, problems, requestId }) => ({
    error: {
      code,
      message,
      ...(Object.keys(details).length > 0 && { details }),
      ...(problems.length > 0 && { problems }),
      request_id: requestId,
    },
  }),
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(Type.Object({}, { additionalProperties: true })),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })),
      ),
      request_id: Type.String(),
    }),
  }),
}

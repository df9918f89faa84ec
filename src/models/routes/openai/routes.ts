import type { HttpServer } from '#kernel/http'
import type { GatewayRouteOptions } from '../gateway-options.ts'
import { addOpenAiEmbeddingRoute } from './embedding-route.ts'
import { addOpenAiModelRoutes, type ModelDirectory } from './model-routes.ts'
import { addOpenAiTextRoutes } from './text-routes.ts'

/** Everything under `/v1`. */
export function addOpenAiRoutes(
  routes: HttpServer,
  options: GatewayRouteOptions & { readonly directory: ModelDirectory },
): void {
  options.idempotency.watch(routes)
  addOpenAiModelRoutes(routes, options)
  addOpenAiTextRoutes(routes, options)
  addOpenAiEmbeddingRoute(routes, options)
}

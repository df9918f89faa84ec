import type { HttpServer } from '#kernel/http'
import type { OrchestraOptions } from '../../route-options.ts'
import { addListRoute } from './list-route.ts'
import { addRatingRoutes } from './rating-routes.ts'
import { addReadRoutes } from './read-routes.ts'
import { addSaveRoutes } from './save-routes.ts'

/** Agents: which there are, what they do, and what people think of them. */
export function addAgentRoutes(
  routes: HttpServer,
  options: Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>,
): void {
  addListRoute(routes, options)
  addReadRoutes(routes, options)
  addSaveRoutes(routes, options)
  addRatingRoutes(routes, options)
}

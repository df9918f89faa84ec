import type { HttpServer } from '#kernel/http'
import type { WorkflowsOptions } from '../../route-options.ts'
import { addReadRoutes } from './read-routes.ts'
import { addSaveRoutes } from './save-routes.ts'
import { addVersionRoutes } from './version-routes.ts'

/** Flows: made, read, changed, compared, taken back, deleted. */
export function addFlowRoutes(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  addReadRoutes(routes, engine)
  addSaveRoutes(routes, engine)
  addVersionRoutes(routes, engine)
}

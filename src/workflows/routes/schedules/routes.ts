import type { HttpServer } from '#kernel/http'
import type { WorkflowsOptions } from '../../route-options.ts'
import { addReadRoutes } from './read-routes.ts'
import { addRunRoute } from './run-route.ts'
import { addSaveRoutes } from './save-routes.ts'

export type ScheduleRoutesOptions = Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>

/** Flows that run by the clock: made, read, changed, run at once, deleted. */
export function addScheduleRoutes(routes: HttpServer, options: ScheduleRoutesOptions): void {
  addReadRoutes(routes, options)
  addSaveRoutes(routes, options)
  addRunRoute(routes, options)
}

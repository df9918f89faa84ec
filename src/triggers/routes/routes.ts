import type { HttpServer } from '#kernel/http'
import { addHookRoute } from './hook-route.ts'
import { addManageRoutes, type TriggerRoutesOptions } from './manage-routes.ts'

/** Adds the routes of triggers to an API. Does not throw. */
export function addTriggerRoutes(routes: HttpServer, options: TriggerRoutesOptions): void {
  addManageRoutes(routes, options)
  addHookRoute(routes, options)
}

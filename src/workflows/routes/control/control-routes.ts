import type { HttpServer } from '#kernel/http'
import type { WorkflowsOptions } from '../../route-options.ts'
import { addApprovalRoutes } from './approval-routes.ts'
import { addCancelRoute } from './cancel-route.ts'
import { addForkRoute } from './fork-route.ts'
import { addMemoryRoutes } from './memory-routes.ts'
import { addRecoverRoute } from './recover-route.ts'

/** What these routes stand on. */
export type ControlRoutesOptions = Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>

/** What people decide about executions, and what flows remember of them. */
export function addControlRoutes(routes: HttpServer, options: ControlRoutesOptions): void {
  addCancelRoute(routes, options)
  addRecoverRoute(routes, options)
  addForkRoute(routes, options)
  addApprovalRoutes(routes, options)
  addMemoryRoutes(routes, options)
}

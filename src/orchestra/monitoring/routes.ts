import { createActivity } from '#engine'
import type { HttpServer } from '#kernel/http'
import { createWorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'
import { addHealthRoute } from './health/route.ts'
import { addLiveStatusRoute } from './live-status/route.ts'
import { addPerformanceRoute } from './performance/route.ts'

/** How the platform is, and how it does. */
export function addMonitoringRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { database } = options
  const watched = {
    ...options,
    activity: createActivity(database),
    workers: createWorkerDirectory(database),
  }
  addLiveStatusRoute(routes, watched)
  addHealthRoute(routes, watched)
  addPerformanceRoute(routes, watched)
}

import type { HttpServer } from '#kernel/http'
import { createWorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'
import { addHealthRoute } from './health/route.ts'
import { addLiveStatusRoute } from './live-status/route.ts'
import { addPerformanceRoute } from './performance/route.ts'

/** How the platform is, and how it does. */
export function addMonitoringRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { database, engine } = options
  const watched = {
    ...options,
    activity: engine.activity,
    workers: createWorkerDirectory(database),
  }
  addLiveStatusRoute(routes, watched)
  addHealthRoute(routes, watched)
  addPerformanceRoute(routes, watched)
}

import type { HttpServer } from '#kernel/http'
import { createWorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'
import { addHealthRoute } from './health/route.ts'
import { addLiveStatusRoute } from './live-status/route.ts'
import { addPerformanceRoute } from './performance/route.ts'

/** Live status, health and performance of the platform. */
export function addMonitoringRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { database, engine } = options
  const monitoring = {
    ...options,
    activity: engine.activity,
    workers: createWorkerDirectory(database),
  }
  addLiveStatusRoute(routes, monitoring)
  addHealthRoute(routes, monitoring)
  addPerformanceRoute(routes, monitoring)
}

import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../../route-options.ts'
import { addCheckRoute } from './check-route.ts'
import { addDownloadRoute } from './downloads.ts'
import { addExportRoutes } from './export-routes.ts'
import { addRecipeEntityRoutes } from './recipe-routes.ts'

/** Tours as recipes: exported, fetched, checked. Imports come in where tours are made. */
export function addRecipeRoutes(
  routes: HttpServer,
  options: Pick<ToursOptions, 'database' | 'events' | 'publicUrl'>,
): void {
  addExportRoutes(routes, options)
  addDownloadRoute(routes, options)
  addRecipeEntityRoutes(routes, options)
  addCheckRoute(routes)
}

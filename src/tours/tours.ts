import { type HttpServer, registerInterface } from '#kernel/http'
import type { RecurringTask } from '#kernel/work'
import { addEventRoute } from './analytics/event-route.ts'
import { addNumbersRoute } from './analytics/numbers-route.ts'
import { addAnalyticsRoute } from './analytics/route.ts'
import { createSettlePlaysTask } from './analytics/settle-plays.ts'
import { toursInterface } from './interface.ts'
import { addPlayerRoutes } from './player/player-routes.ts'
import { addRecipeRoutes } from './recipes/routes/routes.ts'
import { createPruneDownloadsTask } from './recipes/store/prune-downloads-task.ts'
import type { ToursOptions, ToursRouteOptions } from './route-options.ts'
import { addBuilderRoutes } from './routes/builder-routes.ts'
import { addCreateRoute } from './routes/create-route.ts'
import { addListRoute } from './routes/list-route.ts'
import { addTourPages } from './routes/pages.ts'
import { addStepRoutes } from './routes/step-routes.ts'
import { addTemplateRoutes } from './routes/template-routes.ts'
import { addTourRoutes } from './routes/tour-routes.ts'
import { tellPermission } from './tell-permission.ts'
import { seedWelcomeTour } from './welcome/seed-welcome.ts'

/** Guided tours. */
export interface Tours {
  /** Registers the interface with its routes. */
  readonly register: (app: HttpServer, pages: Pick<ToursRouteOptions, 'sendPage'>) => Promise<void>
  /** What one replica at a time does to keep the tables small. */
  readonly tasks: readonly RecurringTask[]
  /** Adds what a new installation comes with, once. */
  readonly seed: () => Promise<void>
}

export function createTours(options: ToursOptions): Tours {
  const { database, idempotency } = options
  return {
    register: (app, pages) =>
      registerInterface(app, toursInterface, (routes) => {
        routes.setErrorHandler(tellPermission)
        idempotency.watch(routes)
        addTourPages(routes, pages)
        addListRoute(routes, options)
        addCreateRoute(routes, options)
        addTemplateRoutes(routes)
        addTourRoutes(routes, options)
        addStepRoutes(routes, options)
        addBuilderRoutes(routes, options)
        addEventRoute(routes, options)
        addAnalyticsRoute(routes, options)
        addNumbersRoute(routes, options)
        addPlayerRoutes(routes, options)
        addRecipeRoutes(routes, options)
      }),
    tasks: [createSettlePlaysTask(database), createPruneDownloadsTask(database)],
    seed: () => seedWelcomeTour(database),
  }
}

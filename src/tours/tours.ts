import type { FastifyRequest } from 'fastify'
import { Failure, kernelFailure } from '#kernel/errors'
import { type HttpServer, registerApi } from '#kernel/http'
import type { RecurringTask } from '#kernel/work'
import { addAnalyticsRoute } from './analytics/analytics-route.ts'
import { addCsvRoute } from './analytics/csv-route.ts'
import { addEventRoute } from './analytics/event-route.ts'
import { createSettlePlaysTask } from './analytics/settle-plays.ts'
import { addStatsRoute } from './analytics/stats-route.ts'
import { toursApi } from './api.ts'
import { addPlayerRoutes } from './player/player-routes.ts'
import { addRecipeRoutes } from './recipes/routes/recipe-routes.ts'
import { createPruneDownloadsTask } from './recipes/store/downloads.ts'
import type { ToursOptions, ToursRouteOptions } from './route-options.ts'
import { addBuilderRoutes } from './routes/builder-routes.ts'
import { addTourPages } from './routes/pages.ts'
import { addStepRoutes } from './routes/step-routes.ts'
import { addTemplateRoutes } from './routes/template-routes.ts'
import { addCreateRoute, addListRoute, addTourRoutes } from './routes/tour-routes.ts'
import { addSiteRoutes } from './sites/site-routes.ts'
import { createPruneVisitsTask } from './targeting/prune-visits.ts'
import { addVisitRoutes } from './targeting/visit-routes.ts'
import { addVersionRoutes } from './versions/version-routes.ts'
import { seedWelcomeTour } from './welcome/welcome-tour.ts'

/** The tours module: routes, recurring tasks and first-start data. */
export interface Tours {
  /** Registers the HTTP API. */
  readonly register: (app: HttpServer, pages: Pick<ToursRouteOptions, 'sendPage'>) => Promise<void>
  /** Recurring tasks that one replica at a time runs to keep the tables small. */
  readonly tasks: readonly RecurringTask[]
  /** Adds the welcome tour to a new installation, once. */
  readonly seed: () => Promise<void>
}

/** Creates the tours module. Throws, when its routes are registered, if the player is not built. */
export function createTours(options: ToursOptions): Tours {
  const { database, idempotency } = options
  return {
    register: (app, pages) =>
      registerApi(app, toursApi, (routes) => {
        routes.setErrorHandler(reportMissingPermission)
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
        addCsvRoute(routes, options)
        addStatsRoute(routes, options)
        addPlayerRoutes(routes, options)
        addRecipeRoutes(routes, options)
        addSiteRoutes(routes, options)
        addVersionRoutes(routes, options)
        addVisitRoutes(routes, options)
      }),
    tasks: [
      createSettlePlaysTask(database),
      createPruneDownloadsTask(database),
      createPruneVisitsTask(database),
    ],
    seed: () => seedWelcomeTour(database),
  }
}

/**
 * The API of tours answers a missing credential with 403 instead of 401, like a missing permission. An invalid credential
 * stays a 401.
 */
function reportMissingPermission(error: unknown, { headers }: FastifyRequest): never {
  const sentNone = headers.authorization === undefined
  if (sentNone && error instanceof Failure && error.code === 'authentication_required') {
    throw kernelFailure('permission_denied', {
      message: `You need a permission for this request. ${error.message}`,
      cause: error,
    })
  }
  throw error
}

import type { Place } from '@tutti/player/protocol'
import { matchesRoute } from '../../../../../../src/tours/player/match-route.ts'
import { maxRoutes, type Step, type TourDocument } from './tour-document.ts'

/** Whether a step shows on a page: on its own route, or wherever the tour is. */
export function showsOn(page: Place, { routes }: TourDocument, { route }: Pick<Step, 'route'>): boolean {
  if (route !== null) return matchesRoute(route, page)
  return routes.length === 0 || routes.some((it) => matchesRoute(it, page))
}

/** The route of a page in a tour. */
export function routeOf({ route, path }: Place): string {
  return route ?? path
}

/**
 * The route a new step belongs to on this page, and the tour that has it among its routes. Steps that stood wherever the
 * tour was stay on its one page when it gets a second.
 */
export function placeOn(
  page: Place,
  document: TourDocument,
): { readonly document: TourDocument; readonly route: string | null } {
  const { routes } = document
  const known = routes.find((route) => matchesRoute(route, page))
  if (known !== undefined) return { document, route: routes.length === 1 ? null : known }
  if (routes.length >= maxRoutes) return { document, route: null }
  const added = routeOf(page)
  const [only, ...others] = routes
  const steps =
    only === undefined || others.length > 0
      ? document.steps
      : document.steps.map((step) => (step.route === null ? { ...step, route: only } : step))
  const placed = { ...document, routes: [...routes, added], steps }
  return { document: placed, route: routes.length === 0 ? null : added }
}

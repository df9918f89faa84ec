import type { Place } from '@tutti/player/protocol'
import { matchesRoute } from '../../../../../../src/tours/player/match-route.ts'
import { maxRoutes, type Step, type TourDocument } from './tour-document.ts'

/** Whether a step is shown on a page: on its own route, or without one on every route of the tour. */
export function showsOn(page: Place, { routes }: TourDocument, { route }: Pick<Step, 'route'>): boolean {
  if (route !== null) return matchesRoute(route, page)
  return routes.length === 0 || routes.some((it) => matchesRoute(it, page))
}

/** The route of a page: its declared name, or else its path. */
export function routeOf({ route, path }: Place): string {
  return route ?? path
}

/**
 * The route of a new step on this page, and the tour with that route added. When a tour gets its second route, steps without
 * a route get the first one, so that they stay on their page.
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

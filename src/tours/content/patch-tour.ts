import { wrongHere } from '../errors.ts'
import type { ChangedTour } from '../routes/tour-routes.ts'
import type { TourPatch } from '../store/change-tour.ts'
import type { Tour } from '../tour.ts'
import { checkLabel } from './check-label.ts'
import { type Findings, noFindings, refuseFindings } from './findings.ts'
import { readRoutes } from './read-routes.ts'
import { readTips } from './read-tips.ts'

/** Reads what is to change in a tour. Throws everything that is wrong with it at once. */
export function patchTour(tour: Tour, given: ChangedTour): TourPatch {
  const found = noFindings()
  if (given.id !== undefined && given.id !== tour.id) {
    throw wrongHere({ path: 'id', message: `must stay ${tour.id}`, code: 'immutable' })
  }
  const routes = given.routes === undefined ? tour.routes : readRoutes(given.routes, 'routes', found)
  const tips = given.tips === undefined ? tour.tips : readTips(given.tips, { routes, path: 'tips', found })
  if (given.tips === undefined) refuseLostRoutes(tips, routes, found)
  const label = readLabel(given.label, found)
  refuseFindings(found)
  return {
    routes,
    tips,
    ...(label !== undefined && { label }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.recipe_id !== undefined && { recipe_id: given.recipe_id || null }),
    ...(given.launch !== undefined && { launch: given.launch }),
  }
}

function readLabel(label: string | undefined, found: Findings): string | undefined {
  if (label === undefined) return undefined
  const mistaken = checkLabel(label, 'label')
  if (mistaken !== undefined) found.invalid.push(mistaken)
  return label.trim()
}

/** A step cannot show where its tour is no more. */
function refuseLostRoutes(tips: Tour['tips'], routes: Tour['routes'], found: Findings): void {
  for (const { label, route } of tips) {
    if (route === null || routes.some(({ route_name }) => route_name === route)) continue
    found.wrong.push({
      path: 'routes',
      message: `must keep ${route}, where the step “${label}” shows`,
      code: 'in_use',
    })
  }
}

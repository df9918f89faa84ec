import { createHash } from 'node:crypto'
import type { Tip } from '../../tour.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import { routeNamesOf, tourFileOf } from './tour-yml.ts'

export const tuttiFile = 'tutti.tour.json'
export const tuttiFormat = 'tutti.tour'

/** What the YAML of a tour has no place for. It belongs to exactly that YAML: one that was edited since wins. */
export interface TourExtras {
  readonly id: string
  readonly file: string
  /** Of the YAML. */
  readonly sha256: string
  readonly launch: RecipeTour['launch']
  /** Only where their names had to change. */
  readonly routes?: readonly { readonly route_name: string }[]
  readonly tips: readonly TipExtras[]
}

/** `selector` is the one the rest was noted for; `route` is one of the tour's routes as it is called here. */
export type TipExtras = Pick<Tip, 'id' | 'selector' | 'route' | 'candidates' | 'target_text'>

/** The tours of a recipe with the YAML each was written to. */
export function writeTuttiJson(
  tours: readonly { readonly tour: RecipeTour; readonly yaml: string }[],
): string {
  const content = {
    format: tuttiFormat,
    version: 1,
    tours: tours.map(({ tour, yaml }) => extrasOf(tour, yaml)),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function extrasOf(tour: RecipeTour, yaml: string): TourExtras {
  const given = tour.routes.map(({ route_name }) => route_name)
  const isRenamed = JSON.stringify(given) !== JSON.stringify(routeNamesOf(tour))
  return {
    id: tour.id,
    file: tourFileOf(tour.id),
    sha256: sha256Of(yaml),
    launch: tour.launch,
    ...(isRenamed && { routes: given.map((route_name) => ({ route_name })) }),
    tips: tour.tips.map(({ id, selector, route, candidates, target_text }) => ({
      id,
      selector,
      route,
      candidates,
      target_text,
    })),
  }
}

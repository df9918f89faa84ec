import { createHash } from 'node:crypto'
import type { Tip } from '../../tour.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import { routeNamesOf, tourFileOf } from './tour-yml.ts'

export const tuttiFile = 'tutti.tour.json'
export const tuttiFormat = 'tutti.tour'

/** The fields of a tour that Drupal's YAML cannot express. The hash ties them to that YAML: an edited YAML takes precedence. */
export interface TourExtras {
  readonly id: string
  readonly file: string
  /** The hash of the YAML. */
  readonly sha256: string
  readonly launch: RecipeTour['launch']
  /** Present only when route names differ from those in the YAML. */
  readonly routes?: readonly { readonly route_name: string }[]
  readonly tips: readonly TipExtras[]
}

/** `candidates` and `target_text` belong to this `selector`; `route` is a route of the tour on this platform. */
export type TipExtras = Pick<Tip, 'id' | 'selector' | 'route' | 'candidates' | 'target_text'>

/** Writes `tutti.tour.json` for tours and their YAML. */
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

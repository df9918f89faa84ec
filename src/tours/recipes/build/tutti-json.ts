import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { noTargeting } from '../../targeting/targeting.ts'
import type { Tip } from '../../tour.ts'
import { toSiteHtml, toSiteLabel } from '../drupal/characters.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import type { PlannedTour } from './plan-site-tours.ts'
import { tourFileOf, writeTourYml } from './tour-yml.ts'

export const tuttiFile = 'tutti.tour.json'
export const tuttiFormat = 'tutti.tour'

/** The fields of a tour that Drupal's YAML cannot express. The hashes tie them to that YAML: an edited YAML takes precedence. */
export interface TourExtras {
  readonly id: string
  /** The YAML files of the tour with their hashes, one per page when its pages have steps of their own. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  /** Present only when the YAML has another label. */
  readonly label?: string
  readonly launch: RecipeTour['launch']
  /** Present only when it is not the default. */
  readonly targeting?: RecipeTour['targeting']
  /** The routes of the tour on this platform. */
  readonly routes?: RecipeTour['routes']
  readonly tips: readonly TipExtras[]
  /** Present only when the YAML of a translation has other texts. */
  readonly translations?: RecipeTour['translations']
}

/**
 * `candidates` and `target_text` belong to this `selector`; `route` is a route of the tour on this platform. `label` and
 * `body` are present only when those in the YAML differ, `advance` only when it is not `next`.
 */
export type TipExtras = Pick<Tip, 'id' | 'selector' | 'route' | 'candidates' | 'target_text'> &
  Partial<Pick<Tip, 'label' | 'body' | 'advance'>>

/** Writes `tutti.tour.json`. */
export function writeTuttiJson(planned: readonly PlannedTour[]): string {
  const content = { format: tuttiFormat, version: 2, tours: planned.map(extrasOf) }
  return `${JSON.stringify(content, null, 2)}\n`
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function extrasOf({ tour, siteTours }: PlannedTour): TourExtras {
  const isChanged = tour.translations.some(
    ({ label, tips }) =>
      toSiteLabel(label) !== label ||
      tips.some((tip) => toSiteLabel(tip.label) !== tip.label || toSiteHtml(tip.body) !== tip.body),
  )
  return {
    id: tour.id,
    files: siteTours.map((site) => ({ path: tourFileOf(site.id), sha256: sha256Of(writeTourYml(site)) })),
    ...(toSiteLabel(tour.label) !== tour.label && { label: tour.label }),
    launch: tour.launch,
    ...(!isDeepStrictEqual(tour.targeting, noTargeting) && { targeting: tour.targeting }),
    routes: tour.routes,
    tips: tour.tips.map(({ id, label, body, selector, route, candidates, target_text, advance }) => ({
      id,
      ...(toSiteLabel(label) !== label && { label }),
      ...(toSiteHtml(body) !== body && { body }),
      selector,
      route,
      candidates,
      target_text,
      ...(advance !== 'next' && { advance }),
    })),
    ...(isChanged && { translations: tour.translations }),
  }
}

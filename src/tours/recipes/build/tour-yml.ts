import type { Tip } from '../../tour.ts'
import { positionOf } from '../drupal/positions.ts'
import { toRouteName } from '../drupal/routes.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'

export function tourFileOf(id: string): string {
  return `config/tour.tour.${id}.yml`
}

/** The configuration of Drupal's tour module. Uses maps: ids such as `10` or `__proto__` would move or vanish in objects. */
export function writeTourYml(tour: RecipeTour): string {
  return writeYaml(
    new Map<string, unknown>([
      ['langcode', 'en'],
      ['status', tour.status],
      ['dependencies', { enforced: { module: ['tour'] } }],
      ['id', tour.id],
      ['label', tour.label],
      ['routes', routeNamesOf(tour).map((route_name) => ({ route_name }))],
      ['tips', new Map(tour.tips.map((tip, index) => [tip.id, describeTip(tip, index + 1)]))],
    ]),
  )
}

/** The Drupal route names of a tour, without duplicates: two paths can have the same route. */
export function routeNamesOf({ routes }: Pick<RecipeTour, 'routes'>): string[] {
  return [...new Set(routes.map(({ route_name }) => toRouteName(route_name)))]
}

function describeTip({ id, label, body, selector, location }: Tip, weight: number) {
  return {
    id,
    plugin: 'text',
    label,
    weight,
    position: positionOf(location),
    selector: selector === '' ? null : selector,
    body,
  }
}

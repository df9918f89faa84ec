import { positionOf } from '../../content/positions.ts'
import type { Tip, Translation } from '../../tour.ts'
import { writeYaml } from '../yaml/write-yaml.ts'
import type { SiteTour } from './plan-site-tours.ts'

export function tourFileOf(id: string): string {
  return `config/tour.tour.${id}.yml`
}

/** The file of a translation: Drupal keeps the texts of a language in a collection, a folder of its own. */
export function translationFileOf(id: string, langcode: string): string {
  return `config/language/${langcode}/tour.tour.${id}.yml`
}

/** The translated texts of a tour; those without a translation are left out. */
export function writeTranslationYml({ label, tips }: Translation): string {
  return writeYaml(
    new Map<string, unknown>([
      ...(label === '' ? [] : [['label', label] as const]),
      ...(tips.length === 0
        ? []
        : [['tips', new Map(tips.map((tip) => [tip.id, describeTexts(tip)] as const))] as const]),
    ]),
  )
}

function describeTexts({ label, body }: Translation['tips'][number]) {
  return { ...(label === '' ? {} : { label }), ...(body === '' ? {} : { body }) }
}

/** The configuration of Drupal's tour module. Uses maps: ids such as `10` or `__proto__` would move or vanish in objects. */
export function writeTourYml(tour: SiteTour): string {
  return writeYaml(
    new Map<string, unknown>([
      ['langcode', tour.langcode],
      ['status', tour.status],
      ['dependencies', { enforced: { module: ['tour'] } }],
      ['id', tour.id],
      ['label', tour.label],
      ['routes', tour.routes.map(describeRoute)],
      ['tips', new Map(tour.tips.map((tip, index) => [tip.id, describeTip(tip, index + 1)]))],
    ]),
  )
}

function describeRoute({ route_name, route_params }: SiteTour['routes'][number]) {
  return route_params === undefined
    ? { route_name }
    : { route_name, route_params: new Map(Object.entries(route_params)) }
}

function describeTip({ id, label, body, selector, location, position }: Tip, weight: number) {
  return {
    id,
    plugin: 'text',
    label,
    weight,
    position: positionOf({ location, position }),
    selector: selector === '' ? null : selector,
    body,
  }
}

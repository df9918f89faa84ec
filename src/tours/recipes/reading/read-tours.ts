import type { Route, Tip } from '../../tour.ts'
import { sha256Of } from '../build/tutti-json.ts'
import { locationOf } from '../drupal/positions.ts'
import { toRouteName } from '../drupal/routes.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { type ParsedTourExtras, readExtras } from './read-extras.ts'
import type { ParsedFile, RecipeContent } from './recipe-content.ts'

/**
 * Reads the tours of a recipe. An unchanged YAML and `tutti.tour.json` together restore the exported tour. An edited YAML
 * takes precedence, and `tutti.tour.json` adds the fields that still fit.
 */
export function readTours({ tours, extras }: RecipeContent): RecipeTour[] {
  const extrasById = readExtras(extras?.value)
  return tours.flatMap((file) => {
    if (!(file.value instanceof Map)) return []
    return [readTour(file, file.value, extrasById.get(file.id))]
  })
}

function readTour(
  file: ParsedFile & { readonly id: string },
  yaml: YamlMap,
  extras: ParsedTourExtras | undefined,
): RecipeTour {
  const isUntouched = extras !== undefined && extras.sha256 === sha256Of(file.text)
  const routes =
    isUntouched && extras.routes !== undefined
      ? extras.routes
      : readRoutes(yaml.get('routes'), extras?.routes)
  const has = (route: string | null) => routes.some(({ route_name }) => route_name === route)
  const tips = readTips(yaml.get('tips')).map((tip): Tip => {
    const more = extras?.tips.get(tip.id)
    if (more === undefined) return tip
    // Candidates and text belong to the element of the exported selector; they do not fit another one.
    const { candidates, target_text } = isUntouched || more.selector === tip.selector ? more : tip
    return { ...tip, candidates, target_text, route: has(more.route) ? more.route : null }
  })
  return {
    id: textIn(yaml, 'id') || file.id,
    label: textIn(yaml, 'label'),
    status: yaml.get('status') === true,
    launch: extras?.launch ?? 'auto',
    routes,
    tips,
  }
}

/** Restores the paths that an export replaced by route names. */
function readRoutes(value: unknown, before: readonly Route[] = []): Route[] {
  if (!Array.isArray(value)) return []
  const names = value.flatMap((route: unknown) => {
    const name = route instanceof Map ? textIn(route, 'route_name') : ''
    const paths = before.map(({ route_name }) => route_name).filter((path) => toRouteName(path) === name)
    return paths.length > 0 ? paths : [name]
  })
  return [...new Set(names)].filter((name) => name !== '').map((route_name) => ({ route_name }))
}

/** Reads the steps ordered by weight. Also reads a list of steps, although Drupal does not. */
function readTips(value: unknown): Tip[] {
  const written: [string, unknown][] =
    value instanceof Map
      ? [...value].map(([key, tip]) => [String(key), tip])
      : Array.isArray(value)
        ? value.map((tip: unknown, index) => [`step_${index + 1}`, tip])
        : []
  const read = written.flatMap(([key, tip]) => (tip instanceof Map ? [readTip(key, tip)] : []))
  return read
    .toSorted((one, other) => one.weight - other.weight)
    .map((tip, index) => ({ ...tip, weight: index + 1 }))
}

function readTip(key: string, tip: YamlMap): Tip {
  const selector = textIn(tip, 'selector').trim()
  const weight = tip.get('weight')
  return {
    id: textIn(tip, 'id') || key,
    label: textIn(tip, 'label'),
    body: textIn(tip, 'body'),
    selector,
    location: locationOf(tip.get('position'), selector),
    weight: typeof weight === 'number' && Number.isFinite(weight) ? weight : 0,
    route: null,
    candidates: [],
    target_text: null,
  }
}

/** Numbers and booleans are read as strings whose quotes were forgotten. */
function textIn(map: YamlMap, key: string): string {
  const value = map.get(key)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

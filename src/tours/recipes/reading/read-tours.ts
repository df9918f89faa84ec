import { locationOf, precisePosition } from '../../content/positions.ts'
import { noTargeting } from '../../targeting/targeting.ts'
import { defaultLangcode, positions, type Route, renumberTips, type Tip } from '../../tour.ts'
import { sha256Of } from '../build/tutti-json.ts'
import { toSiteHtml, toSiteLabel } from '../drupal/characters.ts'
import { toRouteName } from '../drupal/routes.ts'
import { toSiteSelector } from '../drupal/selectors.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import { textIn, type YamlMap } from '../yaml/read-yaml.ts'
import { type ParsedTourExtras, readExtras } from './read-extras.ts'
import { readTranslations } from './read-translations.ts'
import type { RecipeContent, TourFile, TranslationFile } from './recipe-content.ts'

/**
 * Reads the tours of a recipe. Unchanged YAML files and `tutti.tour.json` together restore the exported tour, whose pages
 * may have a file each. An edited YAML takes precedence, and `tutti.tour.json` adds the fields that still fit.
 */
export function readTours({ tours, translations, extras }: RecipeContent): RecipeTour[] {
  const extrasByPath = readExtras(extras?.value)
  const joined = new Set<ParsedTourExtras>()
  const parts = tours.flatMap((file): Part[] =>
    file.value instanceof Map ? [readPart(file, file.value)] : [],
  )
  return parts.flatMap((part) => {
    const more = extrasByPath.get(part.file.path)
    if (more === undefined) return [joinParts([part], undefined, translations)]
    if (joined.has(more)) return []
    joined.add(more)
    return [joinParts(orderParts(parts, more), more, translations)]
  })
}

/** One YAML file of a tour. */
interface Part {
  readonly file: TourFile
  readonly yaml: YamlMap
  readonly tips: readonly Tip[]
}

function readPart(file: TourFile, yaml: YamlMap): Part {
  return { file, yaml, tips: readTips(yaml.get('tips')) }
}

function orderParts(parts: readonly Part[], { files }: ParsedTourExtras): Part[] {
  return files.flatMap(({ path }) => parts.find(({ file }) => file.path === path) ?? [])
}

function joinParts(
  parts: readonly Part[],
  extras: ParsedTourExtras | undefined,
  translations: readonly TranslationFile[],
): RecipeTour {
  const hashes = new Map(extras?.files.map(({ path, sha256 }) => [path, sha256]))
  const edited = parts.filter(({ file }) => hashes.get(file.path) !== sha256Of(file.text))
  const isUntouched = edited.length === 0 && parts.length === extras?.files.length
  // An edit counts, also when another file still has the step as it was exported.
  const byPrecedence = [...edited, ...parts.filter((part) => !edited.includes(part))]
  const { file, yaml } = byPrecedence[0] as Part
  const routes =
    isUntouched && extras.routes !== undefined ? [...extras.routes] : readRoutes(parts, extras?.routes)
  const label = textIn(yaml, 'label')
  const langcode = textIn(yaml, 'langcode') || defaultLangcode
  const tips = renumberTips(
    orderTips(parts, extras).map((id) => {
      const having = byPrecedence.filter((part) => part.tips.some((tip) => tip.id === id))
      const read = having[0]?.tips.find((one) => one.id === id) as Tip
      // A step in the file of one page belongs to that page.
      const isOfOnePage = parts.length > 1 && having.length === 1
      const page = isOfOnePage ? readRoutes(having, extras?.routes)[0] : undefined
      const tip = { ...read, route: page?.route_name ?? null }
      const more = extras?.tips.get(id)
      return more === undefined ? tip : restoreTip(tip, more, { isUntouched, routes })
    }),
  )
  return {
    id: extras?.id ?? (textIn(yaml, 'id') || file.id),
    label: extras?.label !== undefined && toSiteLabel(extras.label) === label ? extras.label : label,
    status: yaml.get('status') === true,
    launch: extras?.launch ?? 'auto',
    targeting: extras?.targeting ?? noTargeting,
    langcode,
    routes,
    tips,
    translations: readTranslations(
      translations.filter(
        (one) => one.langcode !== langcode && parts.some((part) => part.file.id === one.id),
      ),
      { tips, before: extras?.translations ?? [] },
    ),
  }
}

/** The ids of all steps: in their order before the export, each added step after the step it follows in its file. */
function orderTips(parts: readonly Part[], extras: ParsedTourExtras | undefined): string[] {
  const before = new Map([...(extras?.tips.keys() ?? [])].map((id, index) => [id, index]))
  const isReordered = parts.some(({ tips }) => {
    const known = tips.flatMap(({ id }) => before.get(id) ?? [])
    return known.some((rank, index) => rank < (known[index - 1] ?? 0))
  })
  const ranks = new Map<string, number>()
  for (const { tips } of parts) {
    let last = -1
    for (const { id } of tips) {
      last = before.get(id) ?? last
      if (!ranks.has(id)) ranks.set(id, last)
    }
  }
  const ids = [...ranks.keys()]
  if (isReordered && parts.length === 1) return ids
  // The sort is stable: added steps keep their order, after the known step of the same rank.
  return ids.toSorted(
    (one, other) =>
      (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0) || Number(before.has(other)) - Number(before.has(one)),
  )
}

/** Adds the fields of `tutti.tour.json` that still fit the step. */
function restoreTip(
  tip: Tip,
  more: NonNullable<ReturnType<ParsedTourExtras['tips']['get']>>,
  { isUntouched, routes }: { readonly isUntouched: boolean; readonly routes: readonly Route[] },
): Tip {
  // Candidates and text belong to the element of the exported selector; they do not fit another one.
  const isSame = isUntouched || toSiteSelector(more.selector) === tip.selector
  const { selector, candidates, target_text } = isSame ? more : tip
  return {
    ...tip,
    label: more.label !== undefined && toSiteLabel(more.label) === tip.label ? more.label : tip.label,
    body: more.body !== undefined && toSiteHtml(more.body) === tip.body ? more.body : tip.body,
    selector,
    candidates: [...candidates],
    target_text,
    advance: more.advance ?? 'next',
    route:
      more.route === null || routes.some(({ route_name }) => route_name === more.route)
        ? more.route
        : tip.route,
  }
}

/** The routes of YAML files, each name once. Restores the paths that an export replaced by route names. */
function readRoutes(parts: readonly Part[], before: readonly Route[] = []): Route[] {
  const found = new Map<string, Record<string, string>[]>()
  for (const value of parts.flatMap(({ yaml }): unknown => yaml.get('routes') ?? [])) {
    const name = value instanceof Map ? textIn(value, 'route_name') : ''
    if (name === '') continue
    const params = readParams(value instanceof Map ? value.get('route_params') : undefined)
    const paths = before.map(({ route_name }) => route_name).filter((path) => toRouteName(path) === name)
    for (const route of paths.length > 0 ? paths : [name]) {
      const sets = found.get(route) ?? []
      const isNew = sets.every((set) => JSON.stringify(set) !== JSON.stringify(params))
      found.set(route, isNew ? [...sets, params] : sets)
    }
  }
  return [...found].map(([route_name, sets]) =>
    sets.every((set) => Object.keys(set).length === 0) ? { route_name } : { route_name, route_params: sets },
  )
}

function readParams(value: unknown): Record<string, string> {
  return value instanceof Map
    ? Object.fromEntries([...value].map(([name, param]) => [String(name), String(param)]))
    : {}
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
  return renumberTips(read.toSorted((one, other) => one.weight - other.weight))
}

function readTip(key: string, tip: YamlMap): Tip {
  const selector = textIn(tip, 'selector').trim()
  const weight = tip.get('weight')
  const position = positions.find((known) => known === tip.get('position'))
  const location = locationOf(position, selector)
  return {
    id: textIn(tip, 'id') || key,
    label: textIn(tip, 'label'),
    body: textIn(tip, 'body'),
    selector,
    location,
    position: precisePosition(position, location, selector),
    weight: typeof weight === 'number' && Number.isFinite(weight) ? weight : 0,
    route: null,
    candidates: [],
    target_text: null,
    advance: 'next',
  }
}

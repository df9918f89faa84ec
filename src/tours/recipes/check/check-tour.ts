import type { ReadFile } from '../reading/recipe-content.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkRoutes } from './check-routes.ts'
import { checkLine, strayKeys } from './check-text.ts'
import { checkTip } from './check-tip.ts'
import { createFinder, type Finder } from './finder.ts'
import type { Finding } from './findings.ts'

const tourKeys = [
  'langcode',
  'status',
  'dependencies',
  'id',
  'label',
  'module',
  'routes',
  'tips',
  'third_party_settings',
]

/** What a site writes into its own configuration; in a recipe it makes two sites claim to be one. */
const siteKeys = ['uuid', '_core']

/** Nobody walks through more. */
const mostSteps = 200

/** Every site has these. */
const alwaysThere = new Set(['system', 'user', 'core'])

/** A tour's configuration. */
export function checkTour(
  file: ReadFile & { readonly id: string },
  installed: ReadonlySet<string>,
  findings: Finding[],
): void {
  const finder = createFinder(file, findings)
  const tour = file.value
  if (!(tour instanceof Map)) return finder.error([], 'type', 'This must be a map with the fields of a tour.')
  checkKeys(tour, finder)
  checkId(tour.get('id'), file.id, finder)
  checkLine(tour.get('label'), ['label'], finder)
  checkStatus(tour, finder)
  checkDependencies(tour.get('dependencies'), installed, finder)
  checkRoutes(tour.get('routes'), installed, finder)
  checkTips(tour.get('tips'), finder)
}

/** Keys that only the site they come from may have, in any configuration. */
export function checkSiteKeys(map: YamlMap, finder: Finder): void {
  for (const key of siteKeys.filter((name) => map.has(name))) {
    finder.error(
      [key],
      'site_key',
      `"${key}" belongs to the site this was copied from; take it out, or updates will go wrong later.`,
    )
  }
}

function checkKeys(tour: YamlMap, finder: Finder): void {
  checkSiteKeys(tour, finder)
  for (const stray of strayKeys(tour, [...tourKeys, ...siteKeys])) {
    finder.error([stray], 'unknown_key', `A tour has no "${stray}"; the site refuses it.`)
  }
}

function checkId(id: unknown, nameOfFile: string, finder: Finder): void {
  if (typeof id !== 'string' && typeof id !== 'number') {
    return finder.error(['id'], 'required', 'This is missing; the site refuses the tour.')
  }
  if (!/^[a-z0-9_-]+$/.test(String(id))) {
    finder.error(
      ['id'],
      'pattern',
      'This must be of a-z, 0-9, _ and -; the site refuses all else, upper case too.',
    )
  }
  if (String(id) !== nameOfFile) {
    finder.error(['id'], 'name_differs', `This must be "${nameOfFile}", as in the name of the file.`)
  }
}

function checkStatus(tour: YamlMap, finder: Finder): void {
  const status = tour.get('status')
  if (status === undefined) finder.note(['status'], 'required', 'This is missing; the tour will be on.')
  else if (typeof status !== 'boolean') finder.error(['status'], 'type', 'This must be true or false.')
  else if (!status) finder.note(['status'], 'draft', 'The tour is a draft: it is installed switched off.')
  if (typeof tour.get('langcode') !== 'string') {
    finder.warning(
      ['langcode'],
      'required',
      'This should be a language such as en; without it the tour cannot be translated.',
    )
  }
}

function checkDependencies(dependencies: unknown, installed: ReadonlySet<string>, finder: Finder): void {
  if (dependencies === undefined) return
  if (!(dependencies instanceof Map)) return finder.error(['dependencies'], 'type', 'This must be a map.')
  const enforced: unknown = dependencies.get('enforced')
  for (const [at, from] of [
    [['dependencies'], dependencies],
    [['dependencies', 'enforced'], enforced],
  ] as const) {
    const modules: unknown = from instanceof Map ? from.get('module') : undefined
    if (modules === undefined) continue
    if (!Array.isArray(modules)) {
      finder.error([...at, 'module'], 'type', 'This must be a list of modules.')
      continue
    }
    for (const [index, module] of modules.entries()) {
      if (alwaysThere.has(String(module)) || installed.has(String(module))) continue
      finder.error(
        [...at, 'module', index],
        'not_installed',
        `The recipe does not install ${String(module)}: a site without it refuses the tour.`,
      )
    }
  }
}

function checkTips(tips: unknown, finder: Finder): void {
  if (Array.isArray(tips)) {
    return finder.error(
      ['tips'],
      'tips_list',
      'This must be a map with the id of each step as its key: the site takes a list, and the tour breaks.',
    )
  }
  if (tips === undefined || tips === null || (tips instanceof Map && tips.size === 0)) {
    return finder.warning(['tips'], 'empty', 'The tour has no step, so there is nothing to show.')
  }
  if (!(tips instanceof Map)) return finder.error(['tips'], 'type', 'This must be a map of steps.')
  for (const [key, tip] of [...tips].slice(0, mostSteps)) checkTip(String(key), tip, finder)
  if (tips.size > mostSteps) {
    finder.error(
      ['tips'],
      'too_many',
      `The tour has ${tips.size} steps; only the first ${mostSteps} were looked at.`,
    )
  }
  refuseEqualWeights(tips, finder)
}

function refuseEqualWeights(tips: YamlMap, finder: Finder): void {
  const seen = new Map<unknown, string>()
  for (const [key, tip] of tips) {
    const weight: unknown = tip instanceof Map ? tip.get('weight') : undefined
    if (typeof weight !== 'number') continue
    const other = seen.get(weight)
    if (other !== undefined) {
      finder.warning(
        ['tips', String(key), 'weight'],
        'same_weight',
        `The step "${other}" has the same weight; which of them comes first is up to the site.`,
      )
    }
    seen.set(weight, String(key))
  }
}

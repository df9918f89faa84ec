import { isStandardLanguage } from '../drupal/languages.ts'
import { findRoute, isPath } from '../drupal/routes.ts'
import type { TourFile } from '../reading/recipe-content.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkLine, strayKeys } from './check-text.ts'
import { checkTip } from './check-tip.ts'
import { createFindingReporter, type Finding, type FindingReporter } from './findings.ts'

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

/** Keys that identify the configuration of one site; a recipe must not copy them to another. */
const siteKeys = ['uuid', '_core']

/** More steps are not checked. */
const maxSteps = 200

/** Modules that every site has. */
const coreModules = new Set(['system', 'user', 'core'])

/** Checks the configuration of a tour. */
export function checkTour(
  file: TourFile,
  {
    installed,
    isExport,
  }: {
    readonly installed: ReadonlySet<string>
    /** Whether a site exported it as its configuration: it is imported here, not installed on another site. */
    readonly isExport: boolean
  },
  findings: Finding[],
): void {
  const report = createFindingReporter(file, findings)
  const tour = file.value
  if (!(tour instanceof Map)) return report.error([], 'type', 'This must be a map.')
  if (!isExport) checkSiteKeys(tour, report)
  checkKeys(tour, report)
  checkAmbiguous(file, report)
  checkId(tour.get('id'), file.id, report)
  checkLine(tour.get('label'), ['label'], report)
  checkStatus(tour, report)
  checkDependencies(tour.get('dependencies'), installed, report)
  checkRoutes(tour.get('routes'), installed, report)
  checkTips(tour.get('tips'), report)
}

/** Reports keys that belong to the site the configuration was copied from. */
export function checkSiteKeys(map: YamlMap, report: FindingReporter): void {
  for (const key of siteKeys.filter((name) => map.has(name))) {
    report.error(
      [key],
      'site_key',
      `"${key}" belongs to the site this was copied from. Remove it, or later updates will fail.`,
    )
  }
}

function checkKeys(tour: YamlMap, report: FindingReporter): void {
  for (const stray of strayKeys(tour, [...tourKeys, ...siteKeys])) {
    report.error([stray], 'unknown_key', `"${stray}" is not a key of a tour; the site refuses it.`)
  }
}

function checkId(id: unknown, nameOfFile: string, report: FindingReporter): void {
  if (typeof id !== 'string' && typeof id !== 'number') {
    return report.error(['id'], 'required', 'This is required; the site refuses the tour without it.')
  }
  if (!/^[a-z0-9_-]+$/.test(String(id))) {
    report.error(
      ['id'],
      'pattern',
      'This may contain a-z, 0-9, _ and - only; the site refuses other characters, including upper case.',
    )
  }
  if (String(id) !== nameOfFile) {
    report.error(['id'], 'name_differs', `This must be "${nameOfFile}", as in the name of the file.`)
  }
}

function checkStatus(tour: YamlMap, report: FindingReporter): void {
  const status = tour.get('status')
  if (status === undefined) report.note(['status'], 'required', 'This is missing; the tour will be enabled.')
  else if (typeof status !== 'boolean') report.error(['status'], 'type', 'This must be true or false.')
  else if (!status) report.note(['status'], 'draft', 'The tour is a draft: it is installed disabled.')
  checkLanguage(tour.get('langcode'), report)
}

function checkLanguage(langcode: unknown, report: FindingReporter): void {
  if (typeof langcode !== 'string') {
    report.warning(
      ['langcode'],
      'required',
      'This should be a language code such as en; without it the tour cannot be translated.',
    )
  } else if (!isStandardLanguage(langcode)) {
    report.warning(
      ['langcode'],
      'unknown_language',
      `"${langcode.slice(0, 40)}" is not a language that every site knows; a site without it refuses the tour. Drupal has pt-br and pt-pt, zh-hans and zh-hant, nb and nn.`,
    )
  }
}

/** Reports unquoted keys and values that Drupal reads as numbers or dates, unlike this platform. */
function checkAmbiguous({ ambiguous }: TourFile, report: FindingReporter): void {
  for (const { path, text } of ambiguous.slice(0, maxSteps)) {
    report.error(
      path,
      'unquoted',
      `Put "${text.slice(0, 80)}" in quotes: the site reads it as a number or a time.`,
    )
  }
}

function checkDependencies(
  dependencies: unknown,
  installed: ReadonlySet<string>,
  report: FindingReporter,
): void {
  if (dependencies === undefined) return
  if (!(dependencies instanceof Map)) return report.error(['dependencies'], 'type', 'This must be a map.')
  const enforced: unknown = dependencies.get('enforced')
  for (const [at, from] of [
    [['dependencies'], dependencies],
    [['dependencies', 'enforced'], enforced],
  ] as const) {
    const modules: unknown = from instanceof Map ? from.get('module') : undefined
    if (modules === undefined) continue
    if (!Array.isArray(modules)) {
      report.error([...at, 'module'], 'type', 'This must be a list of modules.')
      continue
    }
    for (const [index, module] of modules.entries()) {
      if (coreModules.has(String(module)) || installed.has(String(module))) continue
      report.error(
        [...at, 'module', index],
        'not_installed',
        `The recipe does not install ${String(module)}; a site without this module refuses the tour.`,
      )
    }
  }
}

function checkTips(tips: unknown, report: FindingReporter): void {
  if (Array.isArray(tips)) {
    return report.error(
      ['tips'],
      'tips_list',
      'This must be a map with the id of each step as its key: the site accepts a list, and the tour breaks.',
    )
  }
  if (tips === undefined || tips === null || (tips instanceof Map && tips.size === 0)) {
    return report.warning(['tips'], 'empty', 'The tour has no steps, so nothing is shown.')
  }
  if (!(tips instanceof Map)) return report.error(['tips'], 'type', 'This must be a map of steps.')
  for (const [key, tip] of [...tips].slice(0, maxSteps)) checkTip(String(key), tip, report)
  if (tips.size > maxSteps) {
    report.error(
      ['tips'],
      'too_many',
      `The tour has ${tips.size} steps; only the first ${maxSteps} were checked.`,
    )
  }
  refuseEqualWeights(tips, report)
}

function refuseEqualWeights(tips: YamlMap, report: FindingReporter): void {
  const seen = new Map<unknown, string>()
  for (const [key, tip] of tips) {
    const weight: unknown = tip instanceof Map ? tip.get('weight') : undefined
    if (typeof weight !== 'number') continue
    const other = seen.get(weight)
    if (other !== undefined) {
      report.warning(
        ['tips', String(key), 'weight'],
        'same_weight',
        `The step "${other}" has the same weight; their order is undefined.`,
      )
    }
    seen.set(weight, String(key))
  }
}

/** Checks the pages of a tour. */
function checkRoutes(routes: unknown, installed: ReadonlySet<string>, report: FindingReporter): void {
  if (routes === undefined || routes === null) {
    return report.warning(['routes'], 'no_route', 'The tour has no routes, so no page shows it.')
  }
  if (!Array.isArray(routes))
    return report.error(['routes'], 'type', 'This must be a list; the site refuses other values.')
  if (routes.length === 0)
    report.warning(['routes'], 'no_route', 'The tour has no routes, so no page shows it.')
  for (const [index, route] of routes.entries()) checkRoute(route, index, { installed, report })
}

interface RouteContext {
  readonly installed: ReadonlySet<string>
  readonly report: FindingReporter
}

function checkRoute(route: unknown, index: number, { installed, report }: RouteContext): void {
  const at = (...rest: readonly string[]) => ['routes', index, ...rest]
  if (!(route instanceof Map)) return report.error(at(), 'type', 'A route must be a map with a route_name.')
  for (const stray of strayKeys(route, ['route_name', 'route_params'])) {
    report.error(at(stray), 'unknown_key', `"${stray}" is not a key of a route; the site refuses it.`)
  }
  if (route.has('route_params') && !(route.get('route_params') instanceof Map)) {
    report.error(at('route_params'), 'type', 'This must be a map or be left out: the site refuses null.')
  }
  const name: unknown = route.get('route_name')
  if (typeof name !== 'string' || name.trim() === '') {
    return report.error(at('route_name'), 'required', 'This must be the name of a route.')
  }
  checkName(name, at('route_name'), { installed, report })
}

function checkName(
  name: string,
  path: readonly (string | number)[],
  { installed, report }: RouteContext,
): void {
  if (isPath(name)) {
    report.warning(
      path,
      'path_as_route',
      `${name} is a path, not a route name, so the tour is not shown there. Use the route name, such as system.admin_content for /admin/content.`,
    )
    return
  }
  const known = findRoute(name)
  if (known === undefined) {
    report.warning(
      path,
      'unknown_route',
      `${name} is not a route of a new site. A site without this route silently does not show the tour.`,
    )
  } else if (known.module !== undefined && !installed.has(known.module)) {
    report.note(path, 'module_needed', `The page of ${name} needs the module ${known.module}.`)
  }
}

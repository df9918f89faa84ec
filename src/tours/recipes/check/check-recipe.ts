import { sha256Of, tuttiFile } from '../build/tutti-json.ts'
import { findExtrasProblems, readExtras } from '../reading/read-extras.ts'
import type { ReadFile, RecipeContent } from '../reading/recipe-content.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkLine, strayKeys } from './check-text.ts'
import { checkSiteKeys, checkTour } from './check-tour.ts'
import { createFinder, type Finder } from './finder.ts'
import { type Finding, sortFindings } from './findings.ts'

/** Everything a site would refuse in a recipe, and everything it would take and then break on, with where it is. */
export function checkRecipe(content: RecipeContent): Finding[] {
  const findings: Finding[] = [...content.findings]
  const has = (path: string) => content.paths.includes(path)
  const missing = (file: string, severity: Finding['severity'], message: string) => {
    if (!has(file)) findings.push({ severity, code: 'missing_file', file, path: '', line: null, message })
  }
  missing('recipe.yml', 'error', 'There is no recipe.yml, so this is no recipe.')
  missing(
    'composer.json',
    'warning',
    'There is no composer.json, so Composer cannot fetch the recipe and what it needs.',
  )
  missing('README.md', 'note', 'There is no README.md that says how to install the recipe.')
  const installed =
    content.recipe === undefined ? new Set<string>() : checkRecipeYml(content.recipe, findings)
  if (content.composer !== undefined) checkComposer(content.composer, findings)
  for (const tour of content.tours) checkTour(tour, installed, findings)
  for (const other of content.others) {
    if (other.value instanceof Map) checkSiteKeys(other.value, createFinder(other, findings))
  }
  if (!content.paths.some((path) => /^config\/tour\.tour\..+\.yml$/.test(path))) {
    findings.push({
      severity: 'error',
      code: 'no_tour',
      file: 'config',
      path: '',
      line: null,
      message: 'There is no config/tour.tour.NAME.yml, so the recipe brings no tour.',
    })
  }
  checkPlaces(content.paths, findings)
  if (content.extras !== undefined) checkExtras(content.extras, content, findings)
  return sortFindings(findings)
}

/** Files where no site looks for them. */
function checkPlaces(paths: readonly string[], findings: Finding[]): void {
  const at = (path: string) => createFinder({ path, lineOf: () => null }, findings)
  for (const path of paths) {
    if (/^config\/.+\.yaml$/.test(path))
      at(path).error([], 'file_name', 'The site reads files that end in .yml; this one it passes over.')
    else if (/^config\/.+\/.+\.yml$/.test(path))
      at(path).error([], 'file_place', 'The site reads files directly in config; this one it passes over.')
    else if (/^[^/]*tour\.tour\..+\.ya?ml$/.test(path))
      at(path).error([], 'file_place', 'This must be in the folder config, or the site passes it over.')
    else if (/\.(?:php|phar|inc|module|install|sh|exe|js)$/i.test(path))
      at(path).warning(
        [],
        'program',
        'A recipe has no use for programs; look at this one before you install anything.',
      )
  }
}

/** The file that only this platform reads. */
function checkExtras(file: ReadFile, content: RecipeContent, findings: Finding[]): void {
  const finder = createFinder(file, findings)
  const [problem] = findExtrasProblems(file.value)
  if (problem !== undefined) {
    finder.warning(
      [],
      'extras_unreadable',
      `An import does without this file: ${problem.path} ${problem.message}.`,
    )
    return
  }
  const extras = readExtras(file.value)
  for (const tour of content.tours) {
    const known = extras.get(tour.id)
    if (known === undefined)
      finder.note([], 'extras_missing', `${tuttiFile} says nothing about the tour "${tour.id}".`)
    else if (known.sha256 !== sha256Of(tour.text)) {
      finder.note([], 'edited', `${tour.path} was edited after the export. An import takes what it says now.`)
    }
  }
}

const packageName = /^[a-z0-9](?:[_.-]?[a-z0-9]+)*\/[a-z0-9](?:(?:[_.]|-{1,2})?[a-z0-9]+)*$/

/** What Composer is told about the recipe. */
function checkComposer(file: ReadFile, findings: Finding[]): void {
  const finder = createFinder(file, findings)
  const { value } = file
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return finder.error([], 'type', 'This must be a JSON object.')
  }
  const { name, type, require: required } = value as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name.length > 255 || !packageName.test(name)) {
    finder.error(['name'], 'pattern', 'This must be a name such as example/welcome_tour, in lower case.')
  }
  if (type !== 'drupal-recipe') {
    finder.error(
      ['type'],
      'type',
      'This must be drupal-recipe, or Composer puts the recipe where no site looks for it.',
    )
  }
  const needs =
    typeof required === 'object' && required !== null ? (required as Readonly<Record<string, unknown>>) : {}
  if (needs['drupal/tour'] === undefined) {
    finder.error(
      ['require', 'drupal/tour'],
      'required',
      'This must name "drupal/tour": it is not part of Drupal any more.',
    )
  }
  if (needs['drupal/core'] === undefined && needs['drupal/core-recommended'] === undefined) {
    finder.warning(
      ['require', 'drupal/core'],
      'required',
      'This should say "^10.4 || ^11.1": older releases refuse "config.strict".',
    )
  }
}

const recipeKeys = ['name', 'description', 'type', 'recipes', 'install', 'config', 'input', 'extra']
const configKeys = ['strict', 'import', 'actions']

/** Permissions that come with every site, and with the tour module. */
const knownPermissions = new Set([
  'access tour',
  'administer tour',
  'access content',
  'access administration pages',
  'access toolbar',
  'view the administration theme',
  'access content overview',
  'administer site configuration',
  'access user profiles',
])

/** What `recipe.yml` says. Answers the modules it switches on. */
function checkRecipeYml(file: ReadFile, findings: Finding[]): ReadonlySet<string> {
  const finder = createFinder(file, findings)
  const recipe = file.value
  if (!(recipe instanceof Map)) {
    finder.error([], 'type', 'This must be a map with a name; the site refuses all else.')
    return new Set()
  }
  for (const stray of strayKeys(recipe, recipeKeys)) {
    finder.error([stray], 'unknown_key', `A recipe has no "${stray}"; the site refuses it.`)
  }
  checkLine(recipe.get('name'), ['name'], finder)
  checkDescription(recipe.get('description'), finder)
  if (recipe.has('type')) checkLine(recipe.get('type'), ['type'], finder)
  const installed = readInstall(recipe.get('install'), finder)
  checkConfig(recipe.get('config'), finder)
  return installed
}

function checkDescription(description: unknown, finder: Finder): void {
  if (description === undefined) return
  if (typeof description !== 'string' || description.trim() === '') {
    finder.error(['description'], 'blank', 'This must be a text that is not blank, or not be there at all.')
  }
}

function readInstall(install: unknown, finder: Finder): ReadonlySet<string> {
  if (install !== undefined && !Array.isArray(install)) {
    finder.error(['install'], 'type', 'This must be a list of modules.')
    return new Set()
  }
  const modules = install ?? []
  for (const [index, module] of modules.entries()) {
    if (typeof module === 'string' && /^(?:[a-z0-9_]+:)?[a-z0-9_]+$/.test(module)) continue
    finder.error(['install', index], 'pattern', 'This is not the name of a module.')
  }
  // Some write the project in front: `tour:tour`.
  const names = new Set(modules.map((module: unknown) => String(module).replace(/^.*:/, '')))
  if (!names.has('tour')) {
    finder.error(
      ['install'],
      'tour_not_installed',
      'This must have "tour" in it: without the module the site writes the tour into its configuration, and nothing ever shows it.',
    )
  }
  return names
}

function checkConfig(config: unknown, finder: Finder): void {
  if (config !== undefined && !(config instanceof Map))
    return finder.error(['config'], 'type', 'This must be a map.')
  for (const stray of config === undefined ? [] : strayKeys(config, configKeys)) {
    finder.error(['config', stray], 'unknown_key', `"config" has no "${stray}"; the site refuses it.`)
  }
  const strict: unknown = config?.get('strict')
  if (strict === undefined || strict === true) {
    finder.warning(
      ['config', 'strict'],
      'strict',
      'Write "strict: false": otherwise a site that has the tour already, changed, refuses the recipe.',
    )
  } else if (strict !== false && !Array.isArray(strict)) {
    finder.error(['config', 'strict'], 'type', 'This must be true, false or a list.')
  }
  checkActions(config?.get('actions'), finder)
}

function checkActions(actions: unknown, finder: Finder): void {
  const path = ['config', 'actions']
  if (actions !== undefined && !(actions instanceof Map))
    return finder.error(path, 'type', 'This must be a map.')
  const granted = [...(actions ?? [])].flatMap(([target, what]) => {
    if (what instanceof Map) return permissionsIn(String(target), what, finder)
    finder.error([...path, String(target)], 'type', 'This must be a map of actions.')
    return []
  })
  if (granted.includes('access tour')) return
  finder.warning(
    path,
    'nobody_may',
    'Nobody is given "access tour": only those who have it on the site will see the tours.',
  )
}

function permissionsIn(target: string, actions: YamlMap, finder: Finder): string[] {
  return ['grantPermission', 'grantPermissions'].flatMap((action) => {
    if (!actions.has(action)) return []
    const at = ['config', 'actions', target, action]
    const given: unknown = actions.get(action)
    const permissions: unknown[] = Array.isArray(given) ? given : [given]
    if (action === 'grantPermissions' && !Array.isArray(given))
      finder.error(at, 'type', 'This must be a list of permissions.')
    for (const [index, permission] of permissions.entries()) {
      if (knownPermissions.has(String(permission))) continue
      finder.warning(
        [...at, index],
        'unknown_permission',
        `"${String(permission)}" is no permission of a fresh site. Where there is none of this name, nobody gets it, and nothing says so.`,
      )
    }
    return permissions.map(String)
  })
}

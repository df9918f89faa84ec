import { sha256Of, tuttiFile } from '../build/tutti-json.ts'
import { findExtrasProblems, readExtras } from '../reading/read-extras.ts'
import type { ParsedFile, RecipeContent } from '../reading/recipe-content.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkCharacters, checkLine, strayKeys } from './check-text.ts'
import { checkSiteKeys, checkTour } from './check-tour.ts'
import { checkTranslation } from './check-translation.ts'
import { createFindingReporter, type Finding, type FindingReporter, sortFindings } from './findings.ts'

/** Finds everything in a recipe that a Drupal site refuses, or accepts and then breaks on, with its location. */
export function checkRecipe(content: RecipeContent): Finding[] {
  const findings: Finding[] = [...content.findings]
  for (const file of content.translations) checkTranslation(file, content.tours, findings)
  if (content.source === 'configuration') {
    for (const tour of content.tours)
      checkTour(tour, { installed: new Set(['tour']), isExport: true }, findings)
    return sortFindings(findings)
  }
  const has = (path: string) => content.paths.includes(path)
  const missing = (file: string, severity: Finding['severity'], message: string) => {
    if (!has(file)) findings.push({ severity, code: 'missing_file', file, path: '', line: null, message })
  }
  missing('recipe.yml', 'error', 'recipe.yml is missing, so this is not a recipe.')
  missing(
    'composer.json',
    'warning',
    'composer.json is missing, so Composer cannot install the recipe and its dependencies.',
  )
  missing('README.md', 'note', 'README.md with installation instructions is missing.')
  const installed =
    content.recipe === undefined ? new Set<string>() : checkRecipeYml(content.recipe, findings)
  if (content.composer !== undefined) checkComposer(content.composer, findings)
  for (const tour of content.tours) checkTour(tour, { installed, isExport: false }, findings)
  for (const other of content.others) {
    if (other.value instanceof Map) checkSiteKeys(other.value, createFindingReporter(other, findings))
  }
  if (!content.paths.some((path) => /^config\/tour\.tour\..+\.yml$/.test(path))) {
    findings.push({
      severity: 'error',
      code: 'no_tour',
      file: 'config',
      path: '',
      line: null,
      message: 'config/tour.tour.NAME.yml is missing, so the recipe contains no tour.',
    })
  }
  checkFilePaths(content.paths, findings)
  if (content.extras !== undefined) checkExtras(content.extras, content, findings)
  return sortFindings(findings)
}

/** Reports files that a site ignores because of their name or folder. */
function checkFilePaths(paths: readonly string[], findings: Finding[]): void {
  const at = (path: string) => createFindingReporter({ path, lineOf: () => null }, findings)
  for (const path of paths) {
    if (/^config\/.+\.yaml$/.test(path))
      at(path).error([], 'file_name', 'The site ignores this file: its name must end in .yml.')
    else if (/^config\/(?!language\/[^/]+\/tour\.tour\.).+\/.+\.yml$/.test(path))
      at(path).error(
        [],
        'file_place',
        'The site ignores this file: it must be directly in the folder config.',
      )
    else if (/^[^/]*tour\.tour\..+\.ya?ml$/.test(path))
      at(path).error([], 'file_place', 'The site ignores this file: it must be in the folder config.')
    else if (/\.(?:php|phar|inc|module|install|sh|exe|js)$/i.test(path))
      at(path).warning(
        [],
        'program',
        'A recipe needs no programs. Review this file before you install the recipe.',
      )
  }
}

/** Checks `tutti.tour.json`, which only this platform reads. */
function checkExtras(file: ParsedFile, content: RecipeContent, findings: Finding[]): void {
  const report = createFindingReporter(file, findings)
  const [problem] = findExtrasProblems(file.value)
  if (problem !== undefined) {
    report.warning(
      [],
      'extras_unreadable',
      `An import ignores this file: ${problem.path} ${problem.message}.`,
    )
    return
  }
  const extras = readExtras(file.value)
  for (const tour of content.tours) {
    const exported = extras.get(tour.path)?.files.find(({ path }) => path === tour.path)
    if (exported === undefined)
      report.note([], 'extras_missing', `${tuttiFile} does not contain the tour "${tour.id}".`)
    else if (exported.sha256 !== sha256Of(tour.text)) {
      report.note([], 'edited', `${tour.path} was edited after the export. An import uses the edited file.`)
    }
  }
}

const packageName = /^[a-z0-9](?:[_.-]?[a-z0-9]+)*\/[a-z0-9](?:(?:[_.]|-{1,2})?[a-z0-9]+)*$/

function checkComposer(file: ParsedFile, findings: Finding[]): void {
  const report = createFindingReporter(file, findings)
  const { value } = file
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return report.error([], 'type', 'This must be a JSON object.')
  }
  const { name, type, require: required } = value as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name.length > 255 || !packageName.test(name)) {
    report.error(
      ['name'],
      'pattern',
      'This must be a package name in lower case, such as example/welcome_tour.',
    )
  }
  if (type !== 'drupal-recipe') {
    report.error(
      ['type'],
      'type',
      'This must be drupal-recipe, or Composer installs the recipe into a folder that the site ignores.',
    )
  }
  const needs =
    typeof required === 'object' && required !== null ? (required as Readonly<Record<string, unknown>>) : {}
  if (needs['drupal/tour'] === undefined) {
    report.error(
      ['require', 'drupal/tour'],
      'required',
      'This must require "drupal/tour": it is no longer part of Drupal core.',
    )
  }
  if (needs['drupal/core'] === undefined && needs['drupal/core-recommended'] === undefined) {
    report.warning(
      ['require', 'drupal/core'],
      'required',
      'This should be "^10.4 || ^11.1": older releases refuse "config.strict".',
    )
  }
}

const recipeKeys = ['name', 'description', 'type', 'recipes', 'install', 'config', 'input', 'extra']
const configKeys = ['strict', 'import', 'actions']

/** The permissions of every site and of the tour module. */
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

/** Checks `recipe.yml` and returns the modules it installs. */
function checkRecipeYml(file: ParsedFile, findings: Finding[]): ReadonlySet<string> {
  const report = createFindingReporter(file, findings)
  const recipe = file.value
  if (!(recipe instanceof Map)) {
    report.error([], 'type', 'This must be a map with a name, or the site refuses the recipe.')
    return new Set()
  }
  for (const stray of strayKeys(recipe, recipeKeys)) {
    report.error([stray], 'unknown_key', `"${stray}" is not a key of recipe.yml; the site refuses it.`)
  }
  checkLine(recipe.get('name'), ['name'], report)
  checkDescription(recipe.get('description'), report)
  if (recipe.has('type')) checkLine(recipe.get('type'), ['type'], report)
  const installed = readInstall(recipe.get('install'), report)
  checkConfig(recipe.get('config'), report)
  return installed
}

function checkDescription(description: unknown, report: FindingReporter): void {
  if (description === undefined) return
  if (typeof description !== 'string' || description.trim() === '') {
    return report.error(['description'], 'blank', 'This must be a string that is not blank, or be left out.')
  }
  checkCharacters(description, ['description'], report)
}

function readInstall(install: unknown, report: FindingReporter): ReadonlySet<string> {
  if (install !== undefined && !Array.isArray(install)) {
    report.error(['install'], 'type', 'This must be a list of modules.')
    return new Set()
  }
  const modules = install ?? []
  for (const [index, module] of modules.entries()) {
    if (typeof module === 'string' && /^(?:[a-z0-9_]+:)?[a-z0-9_]+$/.test(module)) continue
    report.error(['install', index], 'pattern', 'This is not a valid module name.')
  }
  // The project may be written in front of the module: `tour:tour`.
  const names = new Set(modules.map((module: unknown) => String(module).replace(/^.*:/, '')))
  if (!names.has('tour')) {
    report.error(
      ['install'],
      'tour_not_installed',
      'This must contain "tour": without the module the site stores the tour and never shows it.',
    )
  }
  return names
}

function checkConfig(config: unknown, report: FindingReporter): void {
  if (config !== undefined && !(config instanceof Map))
    return report.error(['config'], 'type', 'This must be a map.')
  for (const stray of config === undefined ? [] : strayKeys(config, configKeys)) {
    report.error(
      ['config', stray],
      'unknown_key',
      `"${stray}" is not a key of "config"; the site refuses it.`,
    )
  }
  const strict: unknown = config?.get('strict')
  if (strict === undefined || strict === true) {
    report.warning(
      ['config', 'strict'],
      'strict',
      'Set "strict: false": otherwise a site with a changed copy of the tour refuses the recipe.',
    )
  } else if (strict !== false && !Array.isArray(strict)) {
    report.error(['config', 'strict'], 'type', 'This must be true, false or a list.')
  }
  checkActions(config?.get('actions'), report)
}

function checkActions(actions: unknown, report: FindingReporter): void {
  const path = ['config', 'actions']
  if (actions !== undefined && !(actions instanceof Map))
    return report.error(path, 'type', 'This must be a map.')
  const granted = [...(actions ?? [])].flatMap(([target, targetActions]) => {
    if (targetActions instanceof Map) return permissionsIn(String(target), targetActions, report)
    report.error([...path, String(target)], 'type', 'This must be a map of actions.')
    return []
  })
  if (granted.includes('access tour')) return
  report.warning(
    path,
    'nobody_may',
    'The recipe does not grant "access tour": only roles that have it on the site will see the tours.',
  )
}

function permissionsIn(target: string, actions: YamlMap, report: FindingReporter): string[] {
  return ['grantPermission', 'grantPermissions'].flatMap((action) => {
    if (!actions.has(action)) return []
    const at = ['config', 'actions', target, action]
    const given: unknown = actions.get(action)
    const permissions: unknown[] = Array.isArray(given) ? given : [given]
    if (action === 'grantPermissions' && !Array.isArray(given))
      report.error(at, 'type', 'This must be a list of permissions.')
    for (const [index, permission] of permissions.entries()) {
      if (knownPermissions.has(String(permission))) continue
      report.warning(
        [...at, index],
        'unknown_permission',
        `"${String(permission)}" is not a permission of a new site. A site without it ignores it silently.`,
      )
    }
    return permissions.map(String)
  })
}

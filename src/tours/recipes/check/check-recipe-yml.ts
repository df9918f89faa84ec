import type { ReadFile } from '../reading/recipe-content.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkLine, strayKeys } from './check-text.ts'
import { createFinder, type Finder } from './finder.ts'
import type { Finding } from './findings.ts'

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
export function checkRecipeYml(file: ReadFile, findings: Finding[]): ReadonlySet<string> {
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

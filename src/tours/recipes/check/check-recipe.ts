import { sha256Of, tuttiFile } from '../build/tutti-json.ts'
import { findExtrasProblems, readExtras } from '../reading/read-extras.ts'
import type { ReadFile, RecipeContent } from '../reading/recipe-content.ts'
import { checkComposer } from './check-composer.ts'
import { checkRecipeYml } from './check-recipe-yml.ts'
import { checkSiteKeys, checkTour } from './check-tour.ts'
import { createFinder } from './finder.ts'
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

import type { Static } from 'typebox'
import { createValueCheck } from '#kernel/http'
import { checkLabel } from '../content/check-label.ts'
import { machineName } from '../content/machine-name.ts'
import { noProblems, type Problems, throwProblems } from '../content/problems.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { readTranslations, type TranslationInput } from '../content/read-translations.ts'
import { invalid, unprocessable } from '../errors.ts'
import type { Finding } from '../recipes/check/findings.ts'
import { readImport } from '../recipes/read-import.ts'
import { findTourLosses } from '../recipes/reading/find-losses.ts'
import { type creationMethods, ImportedTour, type NewTourBody } from '../routes/schemas.ts'
import { defaultSite } from '../sites/site.ts'
import type { NewTour } from '../store/insert-tour.ts'
import { readTargeting } from '../targeting/read-targeting.ts'
import type { TargetingInput } from '../targeting/targeting.ts'
import { findTemplate, listTemplates } from '../templates/templates.ts'
import { defaultLangcode, type TourContent } from '../tour.ts'

type Given = Static<typeof NewTourBody>
type Method = (typeof creationMethods)[number]
type Draft = Omit<NewTour, 'by'> & {
  /** What an import drops or uses differently; undefined for other methods. */
  readonly findings?: readonly Finding[]
}

/** Validates the request to create a tour. Throws 400 or 422 failures. */
export function draftTour(given: Given): Draft {
  const method = given.creation_method ?? methodOf(given)
  refuseStrayFields(given, method)
  switch (method) {
    case 'template':
      return draftFromTemplate(given)
    case 'import':
      return draftFromImport(given)
    default:
      return finish(given, { method, routes: given.routes ?? [], tips: [] })
  }
}

function methodOf({ template, tour }: Given): Method {
  if (tour !== undefined) return 'import'
  return template === undefined ? 'visual' : 'template'
}

/** Each creation method has its own field; the field of another method would be ignored, so it is refused. */
function refuseStrayFields({ template, tour }: Given, method: Method): void {
  const needed = { template: method === 'template', tour: method === 'import' }
  const given = { template: template !== undefined, tour: tour !== undefined }
  for (const path of ['template', 'tour'] as const) {
    if (needed[path] && !given[path]) throw invalid([{ path, message: 'is required', code: 'required' }])
    if (given[path] && !needed[path]) {
      const message = `is not allowed with creation_method ${method}`
      throw invalid([{ path, message, code: 'unknown_field' }])
    }
  }
}

function draftFromTemplate(given: Given): Draft {
  const template = findTemplate(given.template ?? '')
  if (template === undefined) {
    const known = listTemplates()
      .map(({ id }) => id)
      .join(', ')
    throw unprocessable({ path: 'template', message: `must be one of ${known}`, code: 'unknown' })
  }
  const routes = given.routes ?? template.routes
  // A step whose route the new tour does not have is shown on all its routes.
  const has = (route: string | null) => routes.some(({ route_name }) => route_name === route)
  const tips = template.tips.map((tip) => ({ ...tip, route: has(tip.route) ? tip.route : null }))
  return finish(given, { method: 'template', routes, tips })
}

function draftFromImport(given: Given): Draft {
  const { imported, findings } = readImported(given.tour)
  const recipeId = given.recipe_id === undefined ? imported.recipe_id : given.recipe_id
  const draft = finish(
    {
      ...given,
      label: given.label ?? imported.label,
      launch: given.launch ?? imported.launch,
      langcode: given.langcode ?? imported.langcode,
      targeting: given.targeting ?? imported.targeting,
      ...(recipeId !== undefined && { recipe_id: recipeId }),
    },
    {
      method: 'import',
      routes: given.routes ?? imported.routes ?? [],
      tips: imported.tips ?? [],
      translations: imported.translations ?? [],
      path: given.routes === undefined ? 'tour.' : '',
      preferredId: imported.id,
    },
  )
  return { ...draft, findings }
}

interface Rest {
  readonly method: Method
  readonly routes: Parameters<typeof readRoutes>[0]
  readonly tips: Parameters<typeof readTips>[0]
  readonly translations?: readonly TranslationInput[]
  /** The path of the routes in the request. */
  readonly path?: string
  /** The id of the imported tour. */
  readonly preferredId?: string | undefined
}

type Labelled = Omit<Given, 'label' | 'launch' | 'langcode' | 'targeting'> & {
  readonly label?: string | undefined
  readonly launch?: Given['launch'] | undefined
  readonly langcode?: string | undefined
  readonly targeting?: TargetingInput | undefined
}

function finish(
  given: Labelled,
  {
    method,
    routes: givenRoutes,
    tips: givenTips,
    translations: translated = [],
    path = '',
    preferredId,
  }: Rest,
): Draft {
  const found = noProblems()
  const label = readLabel(given.label, found)
  const routes = readRoutes(givenRoutes, `${path}routes`, found)
  const tips = readTips(givenTips, { routes, path: 'tour.tips', found })
  const langcode = given.langcode ?? defaultLangcode
  const translations = readTranslations(translated, { tips, langcode, path: 'tour.translations', found })
  const targeting = readTargeting(given.targeting ?? {}, 'targeting', found)
  throwProblems(found)
  const content: TourContent = {
    label,
    routes,
    tips,
    recipe_id: given.recipe_id || null,
    launch: given.launch ?? 'auto',
    langcode,
    translations,
    site_id: given.site_id ?? defaultSite,
    targeting,
  }
  const id =
    given.id === undefined ? { preferred: preferredId ?? machineName(label, 'tour') } : { exact: given.id }
  return { content, id, method }
}

function readLabel(label: string | undefined, found: Problems): string {
  const problem = checkLabel(label ?? '', 'label')
  if (problem !== undefined) found.invalid.push(problem)
  return (label ?? '').trim()
}

const findProblems = createValueCheck(ImportedTour)

/** Reads a tour from the JSON of this API or from an exported recipe. */
function readImported(given: unknown) {
  const { tour, losses } = readImport(given)
  const problems = findProblems(tour)
  if (problems.length === 0) {
    const imported = tour as Static<typeof ImportedTour>
    const { id = 'tour', routes = [], tips = [] } = imported
    return { imported, findings: losses ?? findTourLosses({ id, routes, tips }) }
  }
  throw invalid(
    problems.map(({ path, message, code }) => ({
      path: path === '' ? 'tour' : `tour.${path}`,
      message,
      code,
    })),
  )
}

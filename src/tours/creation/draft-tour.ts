import type { Static } from 'typebox'
import { createValueCheck } from '#kernel/http'
import { checkLabel } from '../content/check-label.ts'
import { machineName } from '../content/machine-name.ts'
import { noProblems, type Problems, throwProblems } from '../content/problems.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { invalid, unprocessable } from '../errors.ts'
import { readImport } from '../recipes/read-import.ts'
import { type creationMethods, ImportedTour, type NewTourBody } from '../routes/schemas.ts'
import type { NewTour } from '../store/insert-tour.ts'
import { findTemplate, templates } from '../templates/templates.ts'
import type { TourContent } from '../tour.ts'

type Given = Static<typeof NewTourBody>
type Method = (typeof creationMethods)[number]
type Draft = Omit<NewTour, 'by'>

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
    const known = templates.map(({ id }) => id).join(', ')
    throw unprocessable({ path: 'template', message: `must be one of ${known}`, code: 'unknown' })
  }
  const routes = given.routes ?? template.routes
  // A step whose route the new tour does not have is shown on all its routes.
  const has = (route: string | null) => routes.some(({ route_name }) => route_name === route)
  const tips = template.tips.map((tip) => ({ ...tip, route: has(tip.route) ? tip.route : null }))
  return finish(given, { method: 'template', routes, tips })
}

function draftFromImport(given: Given): Draft {
  const imported = readImported(given.tour)
  const recipeId = given.recipe_id === undefined ? imported.recipe_id : given.recipe_id
  return finish(
    {
      ...given,
      label: given.label ?? imported.label,
      launch: given.launch ?? imported.launch,
      ...(recipeId !== undefined && { recipe_id: recipeId }),
    },
    {
      method: 'import',
      routes: given.routes ?? imported.routes ?? [],
      tips: imported.tips ?? [],
      path: given.routes === undefined ? 'tour.' : '',
      preferredId: imported.id,
    },
  )
}

interface Rest {
  readonly method: Method
  readonly routes: Parameters<typeof readRoutes>[0]
  readonly tips: Parameters<typeof readTips>[0]
  /** The path of the routes in the request. */
  readonly path?: string
  /** The id of the imported tour. */
  readonly preferredId?: string | undefined
}

type Labelled = Omit<Given, 'label' | 'launch'> & {
  readonly label?: string | undefined
  readonly launch?: Given['launch'] | undefined
}

function finish(
  given: Labelled,
  { method, routes: givenRoutes, tips: givenTips, path = '', preferredId }: Rest,
): Draft {
  const found = noProblems()
  const label = readLabel(given.label, found)
  const routes = readRoutes(givenRoutes, `${path}routes`, found)
  const tips = readTips(givenTips, { routes, path: 'tour.tips', found })
  throwProblems(found)
  const content: TourContent = {
    label,
    routes,
    tips,
    recipe_id: given.recipe_id || null,
    launch: given.launch ?? 'auto',
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
function readImported(given: unknown): Static<typeof ImportedTour> {
  const tour = readImport(given)
  const problems = findProblems(tour)
  if (problems.length === 0) return tour as Static<typeof ImportedTour>
  throw invalid(
    problems.map(({ path, message, code }) => ({
      path: path === '' ? 'tour' : `tour.${path}`,
      message,
      code,
    })),
  )
}

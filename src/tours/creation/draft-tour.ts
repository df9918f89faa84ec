import type { Static } from 'typebox'
import { checkLabel } from '../content/check-label.ts'
import { type Findings, noFindings, refuseFindings } from '../content/findings.ts'
import { machineName } from '../content/machine-name.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { invalid, wrongHere } from '../errors.ts'
import type { creationMethods, NewTourBody } from '../routes/requests.ts'
import type { NewTour } from '../store/insert-tour.ts'
import { findTemplate, templates } from '../templates/templates.ts'
import type { TourContent } from '../tour.ts'
import { readImported } from './read-imported.ts'

type Given = Static<typeof NewTourBody>
type Method = (typeof creationMethods)[number]
type Draft = Omit<NewTour, 'by'>

/** Reads what somebody wants to make. */
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

/** Each way of making a tour has a field of its own. Sent with another way, nothing would come of it. */
function refuseStrayFields({ template, tour }: Given, method: Method): void {
  const needed = { template: method === 'template', tour: method === 'import' }
  const given = { template: template !== undefined, tour: tour !== undefined }
  for (const path of ['template', 'tour'] as const) {
    if (needed[path] && !given[path]) throw invalid([{ path, message: 'is required', code: 'required' }])
    if (given[path] && !needed[path]) {
      const message = `does not go with the creation_method ${method}`
      throw invalid([{ path, message, code: 'unknown_field' }])
    }
  }
}

function draftFromTemplate(given: Given): Draft {
  const template = findTemplate(given.template ?? '')
  if (template === undefined) {
    const known = templates.map(({ id }) => id).join(', ')
    throw wrongHere({ path: 'template', message: `must be one of ${known}`, code: 'unknown' })
  }
  const routes = given.routes ?? template.routes
  // Steps whose place the new tour does not have show wherever it is.
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
      like: imported.id,
    },
  )
}

interface Rest {
  readonly method: Method
  readonly routes: Parameters<typeof readRoutes>[0]
  readonly tips: Parameters<typeof readTips>[0]
  /** Where its routes were written. */
  readonly path?: string
  /** The name it had where it comes from. */
  readonly like?: string | undefined
}

type Labelled = Omit<Given, 'label' | 'launch'> & {
  readonly label?: string | undefined
  readonly launch?: Given['launch'] | undefined
}

function finish(given: Labelled, { method, routes: places, tips: steps, path = '', like }: Rest): Draft {
  const found = noFindings()
  const label = readLabel(given.label, found)
  const routes = readRoutes(places, `${path}routes`, found)
  const tips = readTips(steps, { routes, path: 'tour.tips', found })
  refuseFindings(found)
  const content: TourContent = {
    label,
    routes,
    tips,
    recipe_id: given.recipe_id || null,
    launch: given.launch ?? 'auto',
  }
  const id = given.id === undefined ? { like: like ?? machineName(label, 'tour') } : { exact: given.id }
  return { content, id, method }
}

function readLabel(label: string | undefined, found: Findings): string {
  const mistaken = checkLabel(label ?? '', 'label')
  if (mistaken !== undefined) found.invalid.push(mistaken)
  return (label ?? '').trim()
}

import { queryOptions } from '@tanstack/react-query'
import type { PlayableTip, PlayableTour } from '@tutti/player/protocol'
import type { Api } from '../../../../api/api.ts'
import type { paths } from '../../../../api/schema.generated.ts'
import { tourFailureOf } from '../../tour-failure.ts'
import type { CallAnswer } from './after-call.ts'
import type { CallOutcome } from './autosave.ts'
import type { SaveCall } from './next-call.ts'
import type { KeptStep, KeptTour } from './saved-tour.ts'
import type { Step } from './tour-document.ts'

const tourPath = '/admin/structure/recipe-onboarding/tours/{tour}'
const stepPath = '/api/recipe-tour-builder/tour/{tour}/step'

export type Tour = paths[typeof tourPath]['get']['responses'][200]['content']['application/json']['tour']
type Tip = Tour['tips'][number]

const previewPath = '/admin/structure/recipe-onboarding/tours/{tour}/preview'
type Preview = paths[typeof previewPath]['get']['responses'][200]['content']['application/json']

/** A tour with its site, and the URL of its first page on that site. */
export type LoadedTour = Tour & Pick<Preview, 'site' | 'page_url'>

/** A tour, loaded again whenever its builder or preview opens. */
export function tourQuery(api: Api, tour: string) {
  return queryOptions({
    queryKey: ['tours', 'edited', tour],
    queryFn: async ({ signal }): Promise<LoadedTour> => {
      const { data, error, response } = await api.client.GET(previewPath, {
        signal,
        params: { path: { tour } },
        // A browser gets a page at this address otherwise.
        headers: { accept: 'application/json' },
      })
      if (data === undefined) throw tourFailureOf(response, error)
      return { ...data.tour, site: data.site, page_url: data.page_url }
    },
    // While the tour is edited, the editor has the newest version; afterwards the cache is stale.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnMount: 'always',
  })
}

/** Converts a tour of the API to the builder's model. */
export function keptTour({ label, status, launch, routes, tips, revision, updated_by_name }: Tour): KeptTour {
  return {
    revision,
    label,
    isPublished: status,
    launch,
    routes: routes.map(({ route_name }) => route_name),
    steps: tips.map(keptStep),
    changedBy: updated_by_name,
  }
}

function keptStep(tip: Tip): KeptStep {
  const { id, label, body, selector, location, route, candidates, target_text, advance } = tip
  return {
    id,
    title: label,
    body,
    selector,
    location,
    route,
    candidates,
    targetText: target_text,
    advance,
  }
}

/** Converts a step to the player's model. */
export function playableTip(step: Step): PlayableTip {
  return {
    id: step.key,
    label: step.title,
    body: step.body,
    selector: step.selector,
    location: step.location,
    candidates: step.candidates,
    target_text: step.targetText,
    route: step.route,
    advance: step.advance,
  }
}

/** Converts a tour to the player's model. */
export function playableTour({ id, label, launch, routes, tips }: Tour): PlayableTour {
  return { id, label, launch, routes, tips }
}

/** Creates the function that sends the builder's changes to the platform. */
export function createTourCalls(api: Api, tour: string) {
  return async (call: SaveCall, revision: number): Promise<CallOutcome> => {
    const { data, error, response } = await request(api, tour, call, revision)
    if (data !== undefined) return { kind: 'agreed', answer: readAnswer(data) }
    const current = (error as { readonly tour?: Tour } | undefined)?.tour
    if (response.status === 409 && current !== undefined) return { kind: 'conflict', tour: keptTour(current) }
    throw tourFailureOf(response, error)
  }
}

async function request(api: Api, tour: string, call: SaveCall, revision: number) {
  const params = { path: { tour } }
  if (call.kind === 'settings') {
    const { routes, ...settings } = call.settings
    const pages = routes === undefined ? {} : { routes: routes.map((route_name) => ({ route_name })) }
    return await api.client.PUT(tourPath, { params, body: { ...settings, ...pages, revision } })
  }
  if (call.kind === 'remove') {
    return await api.client.DELETE(`${stepPath}/{step_id}`, {
      params: { path: { tour, step_id: call.id }, query: { revision } },
    })
  }
  if (call.kind === 'reorder') {
    return await api.client.POST('/api/recipe-tour-builder/tour/{tour}/reorder', {
      params,
      body: { order: [...call.order], revision },
    })
  }
  const stepId = call.kind === 'add' ? 'new-step' : call.id
  return await api.client.POST(stepPath, {
    params,
    body: { stepId, stepData: stepData(call.step), revision },
  })
}

function stepData({ title, body, selector, location, route, candidates, targetText, advance }: Step) {
  const target =
    location === 'center' ? {} : { selector, candidates: [...candidates], target_text: targetText, advance }
  return { title, body, location, route, ...target }
}

function readAnswer(data: { revision?: number; tour?: Tour; step?: Tip }): CallAnswer {
  const { tour, step } = data
  return {
    revision: data.revision ?? tour?.revision ?? 0,
    ...(step === undefined ? {} : { step: keptStep(step) }),
    ...(tour === undefined ? {} : { settings: settingsOf(keptTour(tour)) }),
  }
}

function settingsOf({ label, launch, routes }: KeptTour) {
  return { label, launch, routes }
}

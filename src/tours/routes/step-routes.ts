import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { builderApiPath } from '../api.ts'
import { noProblems, throwProblems } from '../content/problems.ts'
import { readTip, type TipInput } from '../content/read-tip.ts'
import { createStepId, newStepId } from '../content/read-tips.ts'
import { noSuchStep, unprocessable } from '../errors.ts'
import type { ToursOptions } from '../route-options.ts'
import { changeTour, type TourPatch } from '../store/change-tour.ts'
import { bounds, renumberTips, Tip, type Tour } from '../tour.ts'
import { ReorderBody, revisionQuery, StepBody, stepParams, successResponse, tourParams } from './schemas.ts'
import { expectedRevision, may, tagOf } from './shared.ts'

const Revision = Type.Integer({ description: 'The current revision of the tour.' })

const fresh = (revision: number) => ({ 'cache-control': 'no-store', etag: tagOf(revision) })

/** Save, delete and reorder the steps of a tour. */
export function addStepRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const path = `${builderApiPath}/tour/:tour`

  routes.post(
    `${path}/step`,
    {
      config: { access: may.edit, idempotent: true },
      schema: {
        operationId: 'saveTourStep',
        summary: 'Save a step',
        description:
          '`new-step` adds a step at the end, or at the position `weight`, with an id derived from its title. Any other id changes that step; absent fields stay unchanged.',
        params: tourParams,
        body: StepBody,
        response: {
          200: successResponse({ step: Tip, revision: Revision }, 'The step as it is now.'),
          201: successResponse({ step: Tip, revision: Revision }, 'The new step.'),
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const revision = expectedRevision(headers['if-match'], body.revision)
      let id = ''
      const tour = await changeTour(options, params.tour, { by: actorOf(request), revision }, (current) => {
        const saved = saveStep(current, body.stepId, body.stepData)
        id = saved.id
        return { tips: saved.tips }
      })
      const step = tour.tips.find((tip) => tip.id === id)
      if (step === undefined) throw new Error('the saved step was not found')
      return reply
        .code(body.stepId === newStepId ? 201 : 200)
        .headers(fresh(tour.revision))
        .send({ success: true, step, revision: tour.revision })
    },
  )

  routes.delete(
    `${path}/step/:step_id`,
    {
      config: { access: may.edit },
      schema: {
        operationId: 'deleteTourStep',
        summary: 'Delete a step',
        description: 'Deleting the last step of a published tour makes the tour a draft.',
        params: stepParams,
        querystring: revisionQuery,
        response: {
          200: successResponse({ message: Type.String(), revision: Revision }, 'The step was deleted.'),
        },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const revision = expectedRevision(headers['if-match'], query.revision)
      let wasPublished = false
      const tour = await changeTour(options, params.tour, { by: actorOf(request), revision }, (current) => {
        wasPublished = current.status
        return removeStep(current, params.step_id)
      })
      const more = wasPublished && !tour.status ? ' It was the last step, so the tour is a draft now.' : ''
      return reply.headers(fresh(tour.revision)).send({
        success: true,
        message: `The step “${params.step_id}” was deleted.${more}`,
        revision: tour.revision,
      })
    },
  )

  routes.post(
    `${path}/reorder`,
    {
      config: { access: may.edit },
      schema: {
        operationId: 'reorderTourSteps',
        summary: 'Reorder steps',
        description: 'Changes the order of the steps of a tour.',
        params: tourParams,
        body: ReorderBody,
        response: {
          200: successResponse({ tips: Type.Array(Tip), revision: Revision }, 'The steps in their order.'),
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const revision = expectedRevision(headers['if-match'], body.revision)
      const tour = await changeTour(options, params.tour, { by: actorOf(request), revision }, ({ tips }) => ({
        tips: reorderSteps(tips, body.order),
      }))
      return reply
        .headers(fresh(tour.revision))
        .send({ success: true, tips: tour.tips, revision: tour.revision })
    },
  )
}

type Order = readonly (string | { readonly id: string; readonly weight?: number })[]

/** Returns the steps in the given order. Throws 422 unless the order contains each step once. */
function reorderSteps(tips: readonly Tip[], order: Order): Tip[] {
  const ids = idsOf(order)
  const byId = new Map(tips.map((tip) => [tip.id, tip]))
  const message = findOrderProblem(ids, byId)
  if (message !== undefined) throw unprocessable({ path: 'order', message, code: 'not_a_permutation' })
  return renumberTips(ids.flatMap((id) => byId.get(id) ?? []))
}

/** Sorted by weight when every entry has one, stable for equal weights; else as listed. */
function idsOf(order: Order): string[] {
  const entries = order.map((entry) => (typeof entry === 'string' ? { id: entry } : entry))
  const weighted = entries.every(({ weight }) => weight !== undefined)
  const sorted = weighted
    ? entries.toSorted((one, other) => (one.weight ?? 0) - (other.weight ?? 0))
    : entries
  return sorted.map(({ id }) => id)
}

function findOrderProblem(ids: readonly string[], byId: ReadonlyMap<string, Tip>): string | undefined {
  const unknown = ids.find((id) => !byId.has(id))
  if (unknown !== undefined) return `contains "${unknown}", which is not a step of this tour`
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `contains "${twice}" twice`
  const missing = [...byId.keys()].find((id) => !ids.includes(id))
  return missing === undefined ? undefined : `must contain "${missing}"`
}

/** Removes a step from a tour. A published tour that loses its last step becomes a draft. */
function removeStep(tour: Tour, stepId: string): TourPatch {
  const tips = tour.tips.filter(({ id }) => id !== stepId)
  if (tips.length === tour.tips.length) throw noSuchStep(tour.id, stepId, 'step_id')
  return { tips: renumberTips(tips), status: tour.status && tips.length > 0 }
}

/** A step as the builder sends it: its `title` is the label of the step. */
interface StepData extends Omit<TipInput, 'label'> {
  readonly title?: string | undefined
  readonly weight?: number | undefined
}

type EditedTour = Pick<Tour, 'id' | 'tips' | 'routes'>

/** Adds a step to a tour, or changes a stored one. Returns its id and all steps. Throws 400, 404 or 422 failures. */
function saveStep(
  tour: EditedTour,
  stepId: string,
  data: StepData,
): { readonly id: string; readonly tips: Tip[] } {
  const stored = tour.tips.find(({ id }) => id === stepId)
  if (stored === undefined && stepId !== newStepId) throw noSuchStep(tour.id, stepId, 'stepId')
  if (stored === undefined && tour.tips.length >= bounds.steps) {
    throw unprocessable({
      path: 'stepId',
      message: `cannot be added: a tour can have at most ${bounds.steps} steps`,
      code: 'too_many',
    })
  }
  const found = noProblems()
  const id = stored?.id ?? createStepId(data.title ?? '', (name) => tour.tips.some((tip) => tip.id === name))
  const tip = readTip(mergeStep(stored, data), {
    id,
    routes: tour.routes,
    at: (field) => `stepData.${field === 'label' ? 'title' : field}`,
    found,
  })
  throwProblems(found)
  return { id, tips: insertTip(tour.tips, tip, data.weight) }
}

/** Absent fields stay unchanged. A new selector moves a step out of the middle of the page. */
function mergeStep(stored: Tip | undefined, { title, weight: _weight, ...data }: StepData): TipInput {
  if (stored === undefined) return { ...data, label: title ?? '' }
  const { location, selector } = stored
  const keptLocation = location === 'center' && data.selector ? undefined : location
  return {
    label: title ?? stored.label,
    body: data.body ?? stored.body,
    selector: data.selector === undefined ? selector || null : data.selector,
    location: data.location ?? (data.position == null ? keptLocation : undefined),
    position: data.position === undefined ? stored.position : data.position,
    route: data.route === undefined ? stored.route : data.route,
    candidates: data.candidates ?? stored.candidates,
    target_text: data.target_text === undefined ? stored.target_text : data.target_text,
    advance: data.advance ?? stored.advance,
  }
}

function insertTip(tips: readonly Tip[], tip: Tip, weight: number | undefined): Tip[] {
  const others = tips.filter(({ id }) => id !== tip.id)
  const current = tips.findIndex(({ id }) => id === tip.id)
  const last = current === -1 ? others.length : current
  const index = weight === undefined ? last : Math.min(Math.max(weight - 1, 0), others.length)
  return renumberTips(others.toSpliced(index, 0, tip))
}

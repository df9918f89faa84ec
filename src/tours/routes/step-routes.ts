import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { builderApiPath } from '../api.ts'
import { newStepId } from '../content/read-tips.ts'
import { unprocessable } from '../errors.ts'
import type { ToursOptions } from '../route-options.ts'
import { removeStep } from '../steps/remove-step.ts'
import { saveStep } from '../steps/save-step.ts'
import { changeTour } from '../store/change-tour.ts'
import { renumberTips, Tip } from '../tour.ts'
import { may } from './access.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { ReorderBody, revisionQuery, StepBody, stepParams, successResponse, tourParams } from './schemas.ts'

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

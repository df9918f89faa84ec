import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { newStepId } from '../content/read-tips.ts'
import { builderApiPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { removeStep } from '../steps/remove-step.ts'
import { reorderSteps } from '../steps/reorder-steps.ts'
import { saveStep } from '../steps/save-step.ts'
import { changeTour } from '../store/change-tour.ts'
import { Tip } from '../tour.ts'
import { may } from './access.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { ReorderBody, revisionQuery, StepBody, stepParams, succeeded, tourParams } from './requests.ts'

const Revision = Type.Integer({ description: 'The revision the tour is at now.' })

const fresh = (revision: number) => ({ 'cache-control': 'no-store', etag: tagOf(revision) })

/** The steps of a tour, as the builder saves them. */
export function addStepRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const path = `${builderApiPath}/tour/:tour`

  routes.post(
    `${path}/step`,
    {
      config: { access: may.edit, idempotent: true },
      schema: {
        operationId: 'saveTourStep',
        summary: 'Add a step, or change one',
        description:
          '`new-step` adds a step at the end, or at the place `weight` names, under an id from its title. Any other id changes that step: what is left out stays as it is.',
        params: tourParams,
        body: StepBody,
        response: {
          200: succeeded({ step: Tip, revision: Revision }, 'The step as it is now.'),
          201: succeeded({ step: Tip, revision: Revision }, 'The new step.'),
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
      if (step === undefined) throw new Error('a step that was saved is not there')
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
        description: 'When it was the last one of a published tour, the tour is a draft again.',
        params: stepParams,
        querystring: revisionQuery,
        response: { 200: succeeded({ message: Type.String(), revision: Revision }, 'The step is gone.') },
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
      const more = wasPublished && !tour.status ? ' It was the last one, so the tour is a draft again.' : ''
      return reply.headers(fresh(tour.revision)).send({
        success: true,
        message: `The step “${params.step_id}” is deleted.${more}`,
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
        summary: 'Put the steps in another order',
        params: tourParams,
        body: ReorderBody,
        response: {
          200: succeeded({ tips: Type.Array(Tip), revision: Revision }, 'The steps in their order.'),
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

import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { noSuchTour } from '../errors.ts'
import { builderApiPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { may } from '../routes/access.ts'
import { succeeded, tourParams } from '../routes/requests.ts'
import { findTour } from '../store/read-tours.ts'
import { EventBody, readEvents } from './event-request.ts'
import { answerPreflight, makeReadableAnywhere } from './open-to-all-sites.ts'
import { recordEvents } from './record-events.ts'

const oneMinute = { windowSeconds: 60 }
const signedInLimit = 100

/** What players tell of their visitors. */
export function addEventRoute(
  routes: HttpServer,
  { database, settings }: Pick<ToursOptions, 'database' | 'settings'>,
): void {
  const { visitorRequestsPerMinute: limit } = settings
  // A count of its own: visitors take nothing from those who work at the same address.
  const ratePolicy = perCaller({
    name: 'tours-events',
    signedIn: { limit: Math.max(limit, signedInLimit), ...oneMinute },
    anonymous: { limit, ...oneMinute },
  })
  const path = `${builderApiPath}/tour/:tour/event`

  routes.options(
    path,
    { config: { access: { open: 'a browser asks before it sends' }, undocumented: true, ratePolicy: false } },
    answerPreflight,
  )

  routes.post(
    path,
    {
      config: { access: { open: 'visitors of any site play tours', identify: true }, ratePolicy },
      onSend: makeReadableAnywhere,
      schema: {
        operationId: 'recordTourEvent',
        summary: 'Tell what a visitor did with a published tour',
        description:
          'One event, or up to 50 under `events`. Any page may send it, without credentials. What names a step the tour does not have is told under `ignored`.',
        params: tourParams,
        body: EventBody,
        response: {
          202: succeeded(
            {
              accepted: Type.Integer({ description: 'How many events were taken note of.' }),
              ignored: Type.Array(
                Type.Object({ index: Type.Integer(), message: Type.String(), code: Type.String() }),
                { description: 'Events that were not, by their place.' },
              ),
            },
            'What became of the events.',
          ),
        },
      },
    },
    async ({ params, body, principal }, reply) => {
      const told = readEvents(body, new Date())
      const preview = body.preview === true
      if (preview && !may.edit.permission.some((permission) => principal.permissions.has(permission))) {
        throw kernelFailure('permission_denied', { message: 'A preview is for those who may edit the tour.' })
      }
      const tour = await findTour(database, params.tour)
      // Whether there is a draft of that name is nobody’s business.
      if (tour === undefined || !(tour.status || preview)) throw noSuchTour(params.tour)
      const isKnown = ({ stepId }: { stepId: string | null }) =>
        stepId === null || tour.tips.some(({ id }) => id === stepId)
      const known = preview ? [] : told.filter(isKnown)
      if (!(await recordEvents(database, tour, known))) throw noSuchTour(params.tour)
      const ignored = told.flatMap((event, index) =>
        isKnown(event)
          ? []
          : [{ index, message: `The tour has no step "${event.stepId}".`, code: 'unknown' }],
      )
      return reply
        .code(202)
        .header('cache-control', 'no-store')
        .send({ success: true, accepted: known.length, ignored })
    },
  )
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TProperties, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { runStatement } from '#kernel/work'
import { invalid, noSuchTour } from '../errors.ts'
import { builderApiPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { may } from '../routes/access.ts'
import { succeeded, tourParams } from '../routes/requests.ts'
import { findTour } from '../store/read-tours.ts'
import type { Tip } from '../tour.ts'
import { addCounts } from './add-counts.ts'
import { countAlone, isAboutStep, takeEvent } from './count-event.ts'
import { type Count, type Play, type PlayEvent, playEvents } from './play.ts'
import { lockPlays, writePlays } from './store-plays.ts'

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

/** Headers that let pages of any site read an answer, without sending who their visitor is. */
const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
} as const

/** For `onSend`, which errors pass as well: a page that may not read why it was refused could only guess. */
async function makeReadableAnywhere(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(readableAnywhere)
}

/** Answers the question a browser asks before it sends JSON to another site. */
function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      ...readableAnywhere,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-Requested-With',
      'access-control-max-age': '86400',
    })
    .send()
}

const maxEvents = 50
/** A page plays one tour, perhaps again; each play is a row, and anybody may send them. */
const maxPlays = 5
const dayMs = 86_400_000

const eventFields = {
  event: Type.Enum([...playEvents], {
    description:
      '`view`: the first step appeared. `start`: the visitor went on from it, or finished a tour of one step. `step_view`, `step_complete`: a step appeared, or the visitor went on from it. `complete`, `dismiss`: the tour is over.',
  }),
  play: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'One for each time a visitor plays the tour. The same event of the same play and step counts once. Without one, every event counts by itself.',
    }),
  ),
  step_id: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      maxLength: 255,
      description: 'The step it is about. `step_view` and `step_complete` need one.',
    }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      pattern: '[tT ]\\d\\d:\\d\\d:[0-5]',
      'x-means': 'must be a date with time and offset, such as 2031-05-20T09:30:00Z',
      description: 'When it happened, at most two days ago; else it counts for now.',
    }),
  ),
  duration: Type.Optional(
    Type.Unsafe<number | null>({
      type: 'number',
      nullable: true,
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds: of the step for `step_complete`, of the whole play for `complete` and `dismiss`.',
    }),
  ),
} satisfies TProperties

const preview = Type.Optional(
  Type.Boolean({ description: 'From a preview, by somebody who may edit the tour: nothing is counted.' }),
)

const OneEvent = Type.Object(eventFields, { additionalProperties: false })

const EventBody = Type.Union([
  Type.Object({ ...eventFields, preview }, { additionalProperties: false, title: 'One event' }),
  Type.Object(
    { events: Type.Array(OneEvent, { minItems: 1, maxItems: maxEvents }), preview },
    { additionalProperties: false, title: 'Several events' },
  ),
])

type OneGiven = Static<typeof OneEvent>

/** Reads what happened, in the order it happened. Throws when an event about a step does not say which. */
function readEvents(body: Static<typeof EventBody>, now: Date): ToldEvent[] {
  const given: readonly OneGiven[] = 'events' in body ? body.events : [body]
  const at = (index: number) => ('events' in body ? `events[${index}].step_id` : 'step_id')
  const problems = given.flatMap(({ event, step_id }, index) =>
    isAboutStep(event) && !step_id ? [{ path: at(index), message: 'is required', code: 'required' }] : [],
  )
  if (problems.length > 0) throw invalid(problems)
  if (new Set(given.map(({ play }) => play)).size > maxPlays) {
    const message = `must be of at most ${maxPlays} plays`
    throw invalid([{ path: 'events', message, code: 'too_many_plays' }])
  }
  return given.map(({ event, play, step_id, at: when, duration }) => ({
    event,
    play: play?.toLowerCase() ?? null,
    stepId: step_id || null,
    duration: duration ?? null,
    at: readMoment(when, now),
  }))
}

/** A visitor's clock may be wrong; what it says is believed within two days. */
function readMoment(when: string | undefined, now: Date): Date {
  const moment = when === undefined ? now : new Date(when)
  const ageMs = now.getTime() - moment.getTime()
  return ageMs >= 0 && ageMs <= 2 * dayMs ? moment : now
}

interface ToldEvent extends PlayEvent {
  /** Which play it belongs to; null when nobody said. */
  readonly play: string | null
}

/** Counts what visitors did with a tour, in one transaction. Answers false when the tour is gone meanwhile. */
export async function recordEvents(
  database: Database,
  tour: { readonly id: string; readonly tips: readonly Pick<Tip, 'id' | 'weight'>[] },
  told: readonly ToldEvent[],
): Promise<boolean> {
  const [first] = told
  if (first === undefined) return true
  const weights = new Map(tour.tips.map(({ id, weight }) => [id, weight]))
  return await database.transaction(async (transaction) => {
    const here = await runStatement(transaction, 'select from tours where id = $1 for key share', [tour.id])
    if (here.length === 0) return false
    const ids = [...new Set(told.flatMap(({ play }) => play ?? []))]
    const plays = await lockPlays(transaction, tour.id, ids, first.at)
    const counts: Count[] = []
    for (const event of told) {
      const play = event.play === null ? undefined : plays.get(event.play)
      if (event.play === null || play === undefined) {
        counts.push(...countAlone(event))
        continue
      }
      const taken = takeEvent(play, event, weights)
      plays.set(event.play, taken.play)
      counts.push(...taken.counts)
    }
    await writePlays(transaction, toStored(tour.id, plays))
    await addCounts(
      transaction,
      counts.map((count) => ({ ...count, tourId: tour.id })),
    )
    return true
  })
}

function toStored(tourId: string, plays: ReadonlyMap<string, Play>) {
  return [...plays].map(([id, play]) => ({ tourId, id, play }))
}

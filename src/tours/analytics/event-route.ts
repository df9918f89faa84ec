import { type Static, type TProperties, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import { runStatement } from '#kernel/work'
import { builderApiPath } from '../api.ts'
import { invalid, noSuchTour, toursFailure } from '../errors.ts'
import { addCorsHeaders, sendPreflight } from '../player/cross-origin.ts'
import type { ToursOptions } from '../route-options.ts'
import { successResponse, tourParams } from '../routes/schemas.ts'
import { may } from '../routes/shared.ts'
import { allowsPage } from '../sites/allows-page.ts'
import { findVisitedSite } from '../sites/site-store.ts'
import { findTour } from '../store/read-tours.ts'
import type { Tip } from '../tour.ts'
import { addCounts } from './add-counts.ts'
import { applyEvent, countWithoutPlay, isAboutStep } from './count-event.ts'
import { type Count, type Play, type PlayEvent, playEvents } from './play.ts'
import { lockPlays, writePlays } from './store-plays.ts'

const oneMinute = { windowSeconds: 60 }
const signedInLimit = 100

/** Receives the events of players. */
export function addEventRoute(
  routes: HttpServer,
  { database, settings, publicUrl }: Pick<ToursOptions, 'database' | 'settings' | 'publicUrl'>,
): void {
  // A separate rate limit, so that visitors do not use up the limit of editors at the same IP address.
  const ratePolicy = perCaller({
    name: 'tours-events',
    signedIn: () => ({ limit: Math.max(settings.visitorRequestsPerMinute, signedInLimit), ...oneMinute }),
    anonymous: () => ({ limit: settings.visitorRequestsPerMinute, ...oneMinute }),
  })
  const path = `${builderApiPath}/tour/:tour/event`

  routes.options(
    path,
    { config: { access: { open: 'CORS preflight of browsers' }, undocumented: true, ratePolicy: false } },
    sendPreflight,
  )

  routes.post(
    path,
    {
      config: { access: { open: 'visitors of any site play tours', identify: true }, ratePolicy },
      onSend: addCorsHeaders,
      schema: {
        operationId: 'recordTourEvent',
        summary: 'Record tour events',
        description:
          'Records one event of a visitor, or up to 50 in `events`. Pages of the origins that the site of the tour allows may send it, without credentials. Events that name an unknown step are returned in `ignored`.',
        params: tourParams,
        body: EventBody,
        response: {
          202: successResponse(
            {
              accepted: Type.Integer({ description: 'Number of recorded events.' }),
              ignored: Type.Array(
                Type.Object({ index: Type.Integer(), message: Type.String(), code: Type.String() }),
                { description: 'Events that were not recorded, by their index.' },
              ),
            },
            'The events were recorded.',
          ),
        },
      },
    },
    async (request, reply) => {
      const { params, body, principal } = request
      const reported = readEvents(body, new Date())
      const preview = body.preview === true
      if (preview && !may.edit.permission.some((permission) => principal.permissions.has(permission))) {
        throw kernelFailure('permission_denied', {
          message: 'You need the permission "edit recipe tours" to send events of a preview.',
        })
      }
      const tour = await findTour(database, params.tour)
      // The response must not reveal whether a draft of that name exists.
      if (tour === undefined || !(tour.status || preview)) throw noSuchTour(params.tour)
      const { environments = [] } = (await findVisitedSite(database, tour.site_id)) ?? {}
      if (!allowsPage(tour.site_id, environments, request, publicUrl)) {
        throw toursFailure('origin_not_allowed')
      }
      const isKnown = ({ stepId }: { stepId: string | null }) =>
        stepId === null || tour.tips.some(({ id }) => id === stepId)
      const known = preview ? [] : reported.filter(isKnown)
      if (!(await recordEvents(database, tour, known))) throw noSuchTour(params.tour)
      const ignored = reported.flatMap((event, index) =>
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

const maxEvents = 50
/** A page plays one tour, perhaps twice. Each play is a row and anonymous callers can create them, so it is bounded. */
const maxPlays = 5
const dayMs = 86_400_000

const eventFields = {
  event: Type.Enum([...playEvents], {
    description:
      '`view`: the first step appeared. `start`: the visitor continued from it, or finished a tour of one step. `step_view`: a step appeared. `step_complete`: the visitor continued from it. `step_missing`: its element did not appear. `complete`, `dismiss`: the visitor finished or closed the tour.',
  }),
  play: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Id of one play of the tour by a visitor. The same event of the same play and step counts once. Without it, every event counts.',
    }),
  ),
  step_id: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      maxLength: 255,
      description: 'Id of the step. Required for `step_view`, `step_complete` and `step_missing`.',
    }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      pattern: '[tT ]\\d\\d:\\d\\d:[0-5]',
      'x-means': 'must be a date with time and offset, such as 2031-05-20T09:30:00Z',
      description: 'Time of the event, at most two days ago; any other time is replaced by now.',
    }),
  ),
  duration: Type.Optional(
    Type.Unsafe<number | null>({
      type: 'number',
      nullable: true,
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds spent: on the step for `step_complete`, on the whole play for `complete` and `dismiss`.',
    }),
  ),
} satisfies TProperties

const preview = Type.Optional(
  Type.Boolean({ description: 'Sent by a preview, which needs `edit recipe tours`: nothing is counted.' }),
)

const OneEvent = Type.Object(eventFields, { additionalProperties: false })

const EventBody = Type.Union([
  Type.Object({ ...eventFields, preview }, { additionalProperties: false, title: 'One event' }),
  Type.Object(
    { events: Type.Array(OneEvent, { minItems: 1, maxItems: maxEvents }), preview },
    { additionalProperties: false, title: 'Several events' },
  ),
])

type EventInput = Static<typeof OneEvent>

/** Reads the events in their order. Throws 400 when a step event has no `step_id`, or there are too many plays. */
function readEvents(body: Static<typeof EventBody>, now: Date): ReportedEvent[] {
  const given: readonly EventInput[] = 'events' in body ? body.events : [body]
  const at = (index: number) => ('events' in body ? `events[${index}].step_id` : 'step_id')
  const problems = given.flatMap(({ event, step_id }, index) =>
    isAboutStep(event) && !step_id ? [{ path: at(index), message: 'is required', code: 'required' }] : [],
  )
  if (problems.length > 0) throw invalid(problems)
  if (new Set(given.map(({ play }) => play)).size > maxPlays) {
    const message = `must belong to at most ${maxPlays} plays`
    throw invalid([{ path: 'events', message, code: 'too_many_plays' }])
  }
  return given.map(({ event, play, step_id, at: when, duration }) => ({
    event,
    play: play?.toLowerCase() ?? null,
    stepId: step_id || null,
    duration: duration ?? null,
    at: readTime(when, now),
  }))
}

/** A visitor's clock may be wrong: times within the last two days are accepted, others replaced by now. */
function readTime(when: string | undefined, now: Date): Date {
  const moment = when === undefined ? now : new Date(when)
  const ageMs = now.getTime() - moment.getTime()
  return ageMs >= 0 && ageMs <= 2 * dayMs ? moment : now
}

interface ReportedEvent extends PlayEvent {
  /** The play of the event; null when the player sent none. */
  readonly play: string | null
}

/** Counts events of a tour in one transaction. Returns false when the tour was deleted in the meantime. */
export async function recordEvents(
  database: Database,
  tour: { readonly id: string; readonly tips: readonly Pick<Tip, 'id' | 'weight'>[] },
  reported: readonly ReportedEvent[],
): Promise<boolean> {
  const [first] = reported
  if (first === undefined) return true
  const weights = new Map(tour.tips.map(({ id, weight }) => [id, weight]))
  return await database.transaction(async (transaction) => {
    const found = await runStatement(transaction, 'select from tours where id = $1 for key share', [tour.id])
    if (found.length === 0) return false
    const ids = [...new Set(reported.flatMap(({ play }) => play ?? []))]
    const plays = await lockPlays(transaction, tour.id, ids, first.at)
    const counts: Count[] = []
    for (const event of reported) {
      const play = event.play === null ? undefined : plays.get(event.play)
      if (event.play === null || play === undefined) {
        counts.push(...countWithoutPlay(event))
        continue
      }
      const applied = applyEvent(play, event, weights)
      plays.set(event.play, applied.play)
      counts.push(...applied.counts)
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

import { type Static, type TProperties, Type } from 'typebox'
import { invalid } from '../errors.ts'
import { isAboutStep } from './count-event.ts'
import { playEvents } from './play.ts'
import type { ToldEvent } from './record-events.ts'

const mostEvents = 50
/** A page plays one tour, perhaps again; each play is a row, and anybody may send them. */
const mostPlays = 5
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

export const EventBody = Type.Union([
  Type.Object({ ...eventFields, preview }, { additionalProperties: false, title: 'One event' }),
  Type.Object(
    { events: Type.Array(OneEvent, { minItems: 1, maxItems: mostEvents }), preview },
    { additionalProperties: false, title: 'Several events' },
  ),
])

type OneGiven = Static<typeof OneEvent>

/** Reads what happened, in the order it happened. Throws when an event about a step does not say which. */
export function readEvents(body: Static<typeof EventBody>, now: Date): ToldEvent[] {
  const given: readonly OneGiven[] = 'events' in body ? body.events : [body]
  const at = (index: number) => ('events' in body ? `events[${index}].step_id` : 'step_id')
  const problems = given.flatMap(({ event, step_id }, index) =>
    isAboutStep(event) && !step_id ? [{ path: at(index), message: 'is required', code: 'required' }] : [],
  )
  if (problems.length > 0) throw invalid(problems)
  if (new Set(given.map(({ play }) => play)).size > mostPlays) {
    const message = `must be of at most ${mostPlays} plays`
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

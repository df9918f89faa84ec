import { type Static, Type } from 'typebox'
import { compressions, contentTypes } from '../webhook.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where to send events: http or https, and no private address.',
})

const Secret = Type.Optional(
  Type.String({
    minLength: 16,
    maxLength: 256,
    description:
      'What deliveries are signed with: 16 to 256 printable characters. Default: a new one, which the answer shows once.',
  }),
)

const Active = Type.Optional(
  Type.Boolean({
    description: 'False: nothing is sent. Enabling one that was never verified asks for that first.',
  }),
)

function eventsOf(names: readonly string[]) {
  return Type.Array(Type.Enum([...names]), {
    minItems: 1,
    maxItems: names.length,
    uniqueItems: true,
    description: 'Which events to send.',
  })
}

const maxAttempts = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 20, description: 'Tries altogether. Default: 10.' }),
)
const retryDelay = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 86_400,
    description:
      'Seconds before the second try, twice as long each further time. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.',
  }),
)
const timeout = Type.Optional(
  Type.Number({ minimum: 1, maximum: 30, description: 'Seconds a receiver may take. Default: 10.' }),
)

const closed = { additionalProperties: false }

/** What the Workflows API calls a webhook. */
export function workflowsConfig(events: readonly string[]) {
  return Type.Object(
    {
      url: Url,
      secret: Secret,
      events: eventsOf(events),
      active: Active,
      filters: Type.Optional(
        Type.Object(
          {
            flow_ids: Type.Optional(
              Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
                maxItems: 500,
                description: 'Only events of these flows. Empty or absent: of all.',
              }),
            ),
            min_cost: Type.Optional(
              Type.Number({
                minimum: 0,
                description: 'Only events of executions that cost this many dollars so far, or more.',
              }),
            ),
            priority: Type.Optional(
              Type.Array(Type.Enum(['low', 'normal', 'high', 'urgent']), {
                maxItems: 4,
                description: 'Only events of executions with one of these. Empty or absent: with any.',
              }),
            ),
          },
          { ...closed, description: 'Which of these events to send. All of them must let an event pass.' },
        ),
      ),
      retry_policy: Type.Optional(
        Type.Object(
          {
            max_attempts: maxAttempts,
            retry_delay: retryDelay,
            exponential_backoff: Type.Optional(
              Type.Boolean({ description: 'False: `retry_delay` stays the same. Default: true.' }),
            ),
            timeout,
          },
          closed,
        ),
      ),
      format: Type.Optional(
        Type.Object(
          {
            content_type: Type.Optional(
              Type.Enum([...contentTypes], {
                description: 'As a form, the envelope is its field `payload`. Default: application/json.',
              }),
            ),
            include_full_context: Type.Optional(
              Type.Boolean({ description: 'Adds `full_context` to the data of events that have one.' }),
            ),
            include_intermediate_results: Type.Optional(
              Type.Boolean({
                description: 'Adds `intermediate_results` to the data of events that have some.',
              }),
            ),
            compression: Type.Optional(
              Type.Enum([...compressions], {
                description: 'Signatures are over the text before it is compressed. Default: none.',
              }),
            ),
          },
          closed,
        ),
      ),
    },
    { ...closed, description: 'The webhook.' },
  )
}

/** What the Orchestra API calls a webhook. */
export function orchestraConfig(events: readonly string[]) {
  return Type.Object(
    {
      url: Url,
      events: eventsOf(events),
      secret: Secret,
      active: Active,
      retry_config: Type.Optional(
        Type.Object({ max_attempts: maxAttempts, retry_delay: retryDelay, timeout }, closed),
      ),
    },
    closed,
  )
}

export const RotateBody = Type.Union([Type.Object({ secret: Secret }, closed), Type.Null()])

const Moment = Type.Integer({ minimum: 0, maximum: 32_503_680_000, description: 'Epoch seconds.' })

export const RedeliverBody = Type.Union([
  Type.Object(
    {
      from: Type.Optional(Moment),
      to: Type.Optional(Moment),
      state: Type.Optional(
        Type.Enum(['dead', 'delivered', 'all'], {
          description: 'Which of them: those given up, those that arrived, or both. Default: dead.',
        }),
      ),
    },
    { ...closed, description: 'Deliveries of events that happened in this time.' },
  ),
  Type.Null(),
])

export type WorkflowsConfig = Static<ReturnType<typeof workflowsConfig>>
export type OrchestraConfig = Static<ReturnType<typeof orchestraConfig>>

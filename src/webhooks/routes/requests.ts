import { type Static, Type } from 'typebox'
import { compressions, contentTypes, testEvent } from '../webhook.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'URL that receives the events: http or https, not a private address.',
})

const Name = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    // Visible text, without control characters, which PostgreSQL may refuse.
    pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
    description: 'A name for lists, such as `Billing`. Default: none.',
  }),
)

const Secret = Type.Optional(
  Type.String({
    minLength: 16,
    maxLength: 256,
    description:
      'Secret that signs the deliveries: 16 to 256 printable characters. Default: a generated secret, which the response shows once.',
  }),
)

const Active = Type.Optional(
  Type.Boolean({
    description: 'False sends nothing. Enabling a webhook that was never verified starts its verification.',
  }),
)

function eventsOf(names: readonly string[]) {
  return Type.Array(Type.Enum([...names]), {
    minItems: 1,
    maxItems: names.length,
    uniqueItems: true,
    description: 'Events to send.',
  })
}

const maxAttempts = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 20, description: 'Maximum attempts. Default: 10.' }),
)
const retryDelay = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 86_400,
    description:
      'Seconds before the second attempt, doubled for each further one. Default: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.',
  }),
)
const timeout = Type.Optional(
  Type.Number({ minimum: 1, maximum: 30, description: 'Seconds to wait for the response. Default: 10.' }),
)

const closed = { additionalProperties: false }

/** The webhook configuration of the Workflows API. */
export function workflowsConfig(events: readonly string[]) {
  return Type.Object(
    {
      name: Name,
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
                description: 'Only events of these flows. Empty or absent: all flows.',
              }),
            ),
            min_cost: Type.Optional(
              Type.Number({
                minimum: 0,
                description: 'Only events of executions that have cost at least this many dollars so far.',
              }),
            ),
            priority: Type.Optional(
              Type.Array(Type.Enum(['low', 'normal', 'high', 'urgent']), {
                maxItems: 4,
                description:
                  'Only events of executions with one of these priorities. Empty or absent: all priorities.',
              }),
            ),
          },
          { ...closed, description: 'Restricts the events. An event must pass all filters.' },
        ),
      ),
      retry_policy: Type.Optional(
        Type.Object(
          {
            max_attempts: maxAttempts,
            retry_delay: retryDelay,
            exponential_backoff: Type.Optional(
              Type.Boolean({ description: 'False keeps `retry_delay` constant. Default: true.' }),
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
                description:
                  'In a form, the field `payload` contains the envelope. Default: application/json.',
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
                description: 'Signatures cover the text before compression. Default: none.',
              }),
            ),
          },
          closed,
        ),
      ),
    },
    { ...closed, description: 'Configuration of the webhook.' },
  )
}

/** The webhook configuration of the Orchestra API. */
export function orchestraConfig(events: readonly string[]) {
  return Type.Object(
    {
      name: Name,
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
          description: '`dead`: given up. `delivered`: successful. `all`: both. Default: dead.',
        }),
      ),
    },
    { ...closed, description: 'Period of the events to redeliver.' },
  ),
  Type.Null(),
])

export function testBody(events: readonly string[]) {
  return Type.Union([
    Type.Object(
      {
        event: Type.Optional(
          Type.Enum([testEvent, ...events], {
            description: `An event of this API, with sample data. Default: ${testEvent}.`,
          }),
        ),
      },
      closed,
    ),
    Type.Null(),
  ])
}

export type WorkflowsConfig = Static<ReturnType<typeof workflowsConfig>>
export type OrchestraConfig = Static<ReturnType<typeof orchestraConfig>>

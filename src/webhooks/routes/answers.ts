import { type TProperties, Type } from 'typebox'
import { type Api, deliveryStates, statuses } from '../webhook.ts'

const integer = (description: string) => Type.Integer({ description })
const text = (description: string) => Type.String({ description })
const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: 'integer', nullable: true, description })
const maybeNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })
const maybeText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })
const freeForm = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })
const maybePart = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Union([Type.Object(fields), Type.Null()], { description })

const Status = Type.Enum([...statuses], {
  description:
    '`pending_verification`: nothing but a challenge is sent. `disabled`: nothing is sent; `disabled_reason` says why.',
})

const Verification = Type.Object(
  {
    verification_required: Type.Boolean(),
    verification_token: maybeText('Proves the will of the owner. Shown only here; null when none is needed.'),
    verification_url: maybeText(
      'Whoever calls it, with GET or POST, verifies the webhook. Null when that is not needed.',
    ),
    expires_at: maybeInteger('Epoch seconds. Later, ask for a new token.'),
  },
  {
    description:
      'The URL has been sent a challenge: when it answers 2xx with the challenge in the body, it is verified. Its owner can call `verification_url` instead.',
  },
)

const secretOnce = text('What deliveries are signed with. Shown only here.')

const created = {
  success: Type.Literal(true),
  webhook_id: Type.String(),
  webhook_url: Type.String(),
  events_subscribed: Type.Array(Type.String()),
  verification: Verification,
  status: Status,
  created_at: integer('Epoch seconds.'),
}

export const CreatedWebhook = Type.Object(
  { ...created, secret: secretOnce },
  { description: 'The webhook, with its secret for the only time.' },
)

export const ChangedWebhook = Type.Object(created, { description: 'The webhook as it is now.' })

export const RotatedSecret = Type.Object(
  {
    success: Type.Literal(true),
    webhook_id: Type.String(),
    secret: secretOnce,
    previous_secret_expires_at: maybeInteger('Epoch seconds: until then both secrets sign.'),
  },
  { description: 'The new secret, for the only time.' },
)

const chosen = 'What was chosen; the rest is the default.'

/** What was asked for, in the words it was asked in. */
const configOf = {
  workflows: {
    filters: freeForm('What an event must be like; empty: like anything.'),
    retry_policy: freeForm(chosen),
    format: freeForm('How events are written.'),
  },
  orchestra: {
    url: text('The same as `webhook_url`.'),
    events: Type.Array(Type.String(), { description: 'The same as `events_subscribed`.' }),
    active: Type.Boolean({ description: 'False: it is disabled.' }),
    retry_config: freeForm(chosen),
  },
} as const satisfies Readonly<Record<Api, TProperties>>

const webhookFields = {
  webhook_id: Type.String(),
  webhook_url: Type.String(),
  events_subscribed: Type.Array(Type.String()),
  status: Status,
  disabled_reason: maybeText(
    '`owner`: said so. `gone`: the receiver answered 410. `failing`: nothing has arrived for days. Null unless disabled.',
  ),
  disabled_at: maybeInteger('Epoch seconds.'),
  verification_expires_at: maybeInteger('Epoch seconds; null unless it waits to be verified.'),
  verified_at: maybeInteger('Epoch seconds; null before.'),
  failing_since: maybeInteger('Epoch seconds; null when the last delivery arrived.'),
  previous_secret_expires_at: maybeInteger('Epoch seconds; null when only one secret signs.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

/** A webhook in the words of its interface. */
export function webhookAnswerOf(api: Api) {
  const fields: TProperties = { ...webhookFields, ...configOf[api] }
  return Type.Unsafe<object>(
    Type.Object(fields, { description: 'A webhook. Its secret is never shown again.' }),
  )
}

export function webhookListOf(api: Api) {
  return Type.Object(
    { webhooks: Type.Array(webhookAnswerOf(api)), total: integer('Webhooks on all pages together.') },
    { description: 'A page of your webhooks, the oldest first.' },
  )
}

export const DeletedWebhook = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), status: Type.Enum(['deleted']) },
  { description: 'The webhook is gone, and its deliveries with it.' },
)

export const VerifiedWebhook = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), status: Type.Enum(['active']) },
  { description: 'The webhook receives events from now on.' },
)

const headers = (description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
  })

const LastAttempt = maybePart(
  {
    attempted_at: integer('Epoch seconds.'),
    duration: maybeNumber('Seconds until the answer, or until there was none.'),
    request: maybePart(
      {
        url: Type.String(),
        headers: headers('Those that say something about the message.'),
        body: freeForm('The envelope, with its signature.'),
        bytes: integer('Of the body, as sent.'),
      },
      'What was sent; null when it did not come that far.',
    ),
    response: maybePart(
      {
        status: Type.Integer(),
        headers: headers('Some of them.'),
        body: text('Its beginning, 4 KiB at most.'),
      },
      'What came back; null when nothing did.',
    ),
    error: maybePart({ code: Type.String(), message: Type.String() }, 'Why it failed; null when it did not.'),
  },
  'The last try; null before the first.',
)

export const DeliveryAnswer = Type.Object(
  {
    delivery_id: text('The same in every try: `webhook-id` of the request.'),
    event: Type.String(),
    subject: text('What it is about, such as an execution. About one subject is told in order.'),
    timestamp: integer('Epoch seconds: when it happened.'),
    state: Type.Enum([...deliveryStates], { description: '`dead`: it was given up.' }),
    reason: maybeText('Why it was given up.'),
    attempts: integer('Tries so far.'),
    next_attempt_at: maybeInteger('Epoch seconds; null when it is over.'),
    created_at: integer('Epoch seconds.'),
    finished_at: maybeInteger('Epoch seconds; null when it is not over.'),
    last_attempt: LastAttempt,
  },
  { description: 'A delivery.' },
)

export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(DeliveryAnswer),
    total: integer('Deliveries that match.'),
    as_of: maybeInteger('For the pages after this one, so that they stand still; null when nothing matches.'),
  },
  { description: 'A page of deliveries.' },
)

export const Redelivered = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), delivery: DeliveryAnswer },
  { description: 'It is on its way again.' },
)

export const RedeliveredRange = Type.Object(
  {
    success: Type.Literal(true),
    webhook_id: Type.String(),
    redelivered: integer('Deliveries that are on their way again.'),
    more: Type.Boolean({ description: 'Whether there may be more: ask again.' }),
  },
  { description: 'They are on their way again.' },
)

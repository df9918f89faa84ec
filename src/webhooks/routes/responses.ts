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
    '`pending_verification`: only the challenge is sent. `disabled`: nothing is sent; see `disabled_reason`.',
})

const Verification = Type.Object(
  {
    verification_required: Type.Boolean(),
    verification_token: maybeText(
      'Verifies the webhook. Shown only once; null when no verification is needed.',
    ),
    verification_url: maybeText(
      'Call it with GET or POST to verify the webhook. Null when no verification is needed.',
    ),
    expires_at: maybeInteger('Epoch seconds. Request a new token after that.'),
  },
  {
    description:
      'A challenge was sent to the URL: a 2xx response with the challenge in its body verifies the webhook. The owner can call `verification_url` instead.',
  },
)

const secretOnce = text('Secret that signs the deliveries. Shown only once.')

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
  { description: 'The webhook with its secret, which is shown only once.' },
)

export const ChangedWebhook = Type.Object(created, { description: 'The changed webhook.' })

export const RotatedSecret = Type.Object(
  {
    success: Type.Literal(true),
    webhook_id: Type.String(),
    secret: secretOnce,
    previous_secret_expires_at: maybeInteger(
      'Epoch seconds. Until then deliveries are signed with both secrets.',
    ),
  },
  { description: 'The new secret, which is shown only once.' },
)

const chosen = 'The values that were set; the others have their defaults.'

/** The configuration with the field names of the API it was created in. */
const configOf = {
  workflows: {
    filters: freeForm('Conditions an event must meet; empty for all events.'),
    retry_policy: freeForm(chosen),
    format: freeForm('Encoding and content of the events.'),
  },
  orchestra: {
    url: text('Same as `webhook_url`.'),
    events: Type.Array(Type.String(), { description: 'Same as `events_subscribed`.' }),
    active: Type.Boolean({ description: 'False when the webhook is disabled.' }),
    retry_config: freeForm(chosen),
  },
} as const satisfies Readonly<Record<Api, TProperties>>

const LastDelivery = maybePart(
  {
    id: text('The `delivery_id`.'),
    event: Type.String(),
    state: Type.Enum([...deliveryStates], { description: '`pending`: it is retried. `dead`: given up.' }),
    status_code: maybeInteger('The HTTP status of the response; null without one.'),
    attempted_at: integer('Epoch seconds.'),
    error: maybeText('Why the attempt failed; null after a success.'),
  },
  'The delivery that was attempted last; null before the first.',
)

const webhookFields = {
  webhook_id: Type.String(),
  name: maybeText('The name given by its owner; null without one.'),
  webhook_url: Type.String(),
  events_subscribed: Type.Array(Type.String()),
  status: Status,
  disabled_reason: maybeText(
    '`owner`: disabled by its owner. `gone`: the receiver responded with 410. `failing`: every delivery has failed for days. Null unless disabled.',
  ),
  disabled_at: maybeInteger('Epoch seconds.'),
  verification_expires_at: maybeInteger('Epoch seconds; null unless verification is pending.'),
  verified_at: maybeInteger('Epoch seconds; null before verification.'),
  failing_since: maybeInteger('Epoch seconds; null when the last delivery succeeded.'),
  last_delivery: LastDelivery,
  previous_secret_expires_at: maybeInteger('Epoch seconds; null without a previous secret.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

/** A webhook with the field names of its API. */
export function webhookResponseOf(api: Api) {
  const fields: TProperties = { ...webhookFields, ...configOf[api] }
  return Type.Unsafe<object>(Type.Object(fields, { description: 'A webhook without its secret.' }))
}

export function webhookListOf(api: Api) {
  return Type.Object(
    { webhooks: Type.Array(webhookResponseOf(api)), total: integer('Webhooks on all pages.') },
    { description: 'A page of your webhooks, oldest first.' },
  )
}

export const DeletedWebhook = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), status: Type.Enum(['deleted']) },
  { description: 'The webhook and its deliveries are deleted.' },
)

export const VerifiedWebhook = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), status: Type.Enum(['active']) },
  { description: 'The webhook is active and receives events.' },
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
    duration: maybeNumber('Seconds until the response or the failure.'),
    request: maybePart(
      {
        url: Type.String(),
        headers: headers('The headers of the delivery: content type, event and signatures.'),
        body: freeForm('The envelope with its signature.'),
        bytes: integer('Size of the body as sent.'),
      },
      'The request; null when nothing was sent.',
    ),
    response: maybePart(
      {
        status: Type.Integer(),
        headers: headers('A selection of the headers.'),
        body: text('The first 4 KiB of the body.'),
      },
      'The response; null without one.',
    ),
    error: maybePart({ code: Type.String(), message: Type.String() }, 'The error; null after a success.'),
  },
  'The last attempt; null before the first.',
)

export const DeliveryResponse = Type.Object(
  {
    delivery_id: text('Sent as `webhook-id`; the same for every attempt.'),
    event: Type.String(),
    subject: text(
      'What the event is about, such as the id of an execution. Events of one subject are delivered in order.',
    ),
    timestamp: integer('Time of the event in epoch seconds.'),
    state: Type.Enum([...deliveryStates], { description: '`dead`: given up.' }),
    reason: maybeText('Why the delivery was given up.'),
    attempts: integer('Attempts so far.'),
    next_attempt_at: maybeInteger('Epoch seconds; null when the delivery has finished.'),
    created_at: integer('Epoch seconds.'),
    finished_at: maybeInteger('Epoch seconds; null while the delivery is pending.'),
    last_attempt: LastAttempt,
  },
  { description: 'A delivery.' },
)

export const DeliveryList = Type.Object(
  {
    deliveries: Type.Array(DeliveryResponse),
    total: integer('Matching deliveries on all pages.'),
    as_of: maybeInteger(
      'Pass it for the following pages, so that new deliveries do not shift them; null when nothing matches.',
    ),
  },
  { description: 'A page of deliveries.' },
)

export const Redelivered = Type.Object(
  { success: Type.Literal(true), webhook_id: Type.String(), delivery: DeliveryResponse },
  { description: 'The delivery is pending again.' },
)

export const SentTest = Type.Object(
  {
    success: Type.Literal(true),
    webhook_id: Type.String(),
    event: Type.String(),
    delivery_id: text('Read the result from this delivery.'),
  },
  { description: 'The test delivery is pending.' },
)

export const RedeliveredRange = Type.Object(
  {
    success: Type.Literal(true),
    webhook_id: Type.String(),
    redelivered: integer('Deliveries that are pending again.'),
    more: Type.Boolean({ description: 'Whether more deliveries may match: send the request again.' }),
  },
  { description: 'The deliveries are pending again.' },
)

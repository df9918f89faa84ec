import { type Static, Type } from 'typebox'
import { priorities, Test } from '#engine'
import { schemas } from '#executions-api'
import { oneLine } from '#kernel/http'
import { responseTimes, triggerKinds } from '../trigger.ts'
import { hashAlgorithms, senderTypes, signatureEncodings } from '../verification/senders.ts'

const { flag, freeForm, integer, maybeInteger, maybeText, text } = schemas

const headerName = Type.String({
  pattern: '^[A-Za-z0-9-]{1,100}$',
  'x-means': 'must be the name of a header',
  description: 'The header with the secret (`header`) or the signature (`hmac`).',
})

const prefix = Type.String({
  maxLength: 50,
  pattern: '^[ -~]*$',
  'x-means': 'must be printable characters',
  description: 'The text before the signature, such as `sha256=`. Default: none.',
})

export const Secret = Type.String({
  pattern: '^[!-~]{8,256}$',
  'x-means': 'must be 8 to 256 printable characters without spaces',
  description:
    'The secret shared with the sender. Stripe, Slack and Shopify show theirs; for the other types the default is a generated one, which the response shows once.',
})

const verificationFields = {
  type: Type.Enum([...senderTypes], {
    description:
      '`standard_webhooks`, `github`, `gitlab`, `stripe`, `slack` and `shopify` check the signatures of these senders; `header` compares a header with the secret; `hmac` checks a signature of the body; `none` accepts every request to the URL.',
  }),
  header: Type.Optional(headerName),
  algorithm: Type.Optional(Type.Enum([...hashAlgorithms], { description: 'For `hmac`. Default: `sha256`.' })),
  encoding: Type.Optional(Type.Enum([...signatureEncodings], { description: 'For `hmac`. Default: `hex`.' })),
  prefix: Type.Optional(prefix),
}

const Filter = Type.Object(Test.properties, {
  additionalProperties: false,
  description:
    'A condition over `body`, `headers` and `query`, or over `event`: a comparison, `all`, `any`, `not`, or an expression such as `body.amount > 100 && headers["x-topic"] == "paid"`. Requests for which it is false are answered, and start nothing.',
})

const Signal = Type.Object(
  {
    event: Type.String({
      pattern: '^[A-Za-z0-9_.:-]{1,100}$',
      'x-means': 'must be up to 100 letters, digits, dots, colons, hyphens and underscores',
      description: 'The name of the event: `event` of the steps that wait for it.',
    }),
    correlation_key: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'A template of the key of the event, such as `{{body.order.id}}`: `correlation_key` of the steps that wait for it.',
    }),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        description:
          'Seconds for which the event is kept for steps that begin to wait later. Default: 604800 (7 days).',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'In place of `flow_id`: sends an event, with `input` as its data, to your own executions that wait for it in a step of type `wait_for_event`.',
  },
)

const template = (description: string) => Type.Unsafe<unknown>({ description })

export const TriggerBody = Type.Object(
  {
    kind: Type.Enum([...triggerKinds], {
      description:
        '`webhook` has a URL of its own; `event` follows events of the platform. Cannot be changed.',
    }),
    label: Type.Optional(Type.String({ maxLength: 200, ...oneLine, description: 'A name for people.' })),
    flow_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The flow to run. Required, unless it has `signal`.',
      }),
    ),
    signal: Type.Optional(Signal),
    flow_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Default: the current version at the time of each start.',
      }),
    ),
    enabled: Type.Optional(flag('A disabled trigger starts nothing. Default: true.')),
    priority: Type.Optional(Type.Enum([...priorities])),
    input: Type.Optional(
      freeForm(
        'The context of the execution. Texts are templates: `{{body.order.id}}`, `{{headers.x-github-event}}`, `{{query.page}}`, `{{received_at}}`, or `{{event.flow_id}}`. Default: empty.',
      ),
    ),
    filter: Type.Optional(Filter),
    verification: Type.Optional(
      Type.Object(
        { ...verificationFields, secret: Type.Optional(Secret) },
        {
          additionalProperties: false,
          description: 'How requests prove who sent them. Required for a webhook.',
        },
      ),
    ),
    delivery_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'A template of the id that stays the same when the sender repeats a request. Default: the id of the sender, else a hash of the request.',
      }),
    ),
    respond: Type.Optional(
      Type.Enum([...responseTimes], {
        description:
          '`at_once` responds when the execution is queued; `with_result` waits up to 25 seconds for its end. Default: `at_once`.',
      }),
    ),
    response: Type.Optional(
      template(
        'With `with_result`: a template of the response, which also reads `{{result}}`, `{{execution_id}}` and `{{status}}`.',
      ),
    ),
    events: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description:
          'For an event trigger: `flow.execution.completed`, `flow.execution.failed` and `flow.execution.cancelled` of your own executions; with `administer llm` also types of the event log.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type TriggerBody = Static<typeof TriggerBody>

const TriggerFailure = Type.Unsafe<{ code: string; message: string } | null>({
  type: 'object',
  nullable: true,
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
  description: 'Why the last request started nothing; null when it did.',
})

export const TriggerResponse = Type.Object(
  {
    trigger_id: Type.String(),
    account_id: Type.String(),
    label: maybeText('The name for people.'),
    kind: Type.Enum([...triggerKinds]),
    flow_id: maybeText('The flow that it runs; null when it sends an event.'),
    flow_version: maybeInteger('Null: the current version.'),
    enabled: Type.Boolean(),
    priority: Type.Enum([...priorities]),
    input: freeForm('The templates of the context.'),
    filter: Type.Unsafe<Static<typeof Filter> | null>({ ...Filter, nullable: true }),
    signal: Type.Unsafe<Static<typeof Signal> | null>({ ...Signal, nullable: true }),
    verification: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'Without the secret; null for an event trigger.',
    }),
    delivery_id: maybeText('The template of the delivery id.'),
    respond: maybeText('`at_once` or `with_result`; null for an event trigger.'),
    response: Type.Unsafe<unknown>({ description: 'The template of the response; null without one.' }),
    events: Type.Unsafe<string[] | null>({
      type: 'array',
      items: { type: 'string' },
      nullable: true,
      description: 'The types of events; null for a webhook.',
    }),
    last_at: maybeInteger('Epoch seconds of the last request or event.'),
    last_outcome: maybeText('`started`, `signalled`, `ignored` or `refused`.'),
    last_error: TriggerFailure,
    last_execution_id: maybeText('The last execution that it started.'),
    counts: Type.Object({
      started: Type.Integer(),
      signalled: Type.Integer(),
      ignored: Type.Integer(),
      refused: Type.Integer(),
      delayed: integer(
        'Events that are delayed now, because there were more than the limits allow. At most 3600; further ones are refused.',
      ),
    }),
    delayed_until: maybeInteger(
      'Epoch seconds when the first delayed event is handled; null when none is delayed.',
    ),
    created_at: integer('Epoch seconds.'),
    updated_at: integer('Epoch seconds.'),
  },
  { description: 'A trigger.' },
)

export const SavedTriggerResponse = Type.Object(
  {
    success: flag('Always true.'),
    trigger_id: Type.String(),
    trigger: TriggerResponse,
    url: maybeText('The URL for the sender. Shown only now: it is a secret.'),
    secret: maybeText('The generated secret for the sender. Shown only now; null when it was not generated.'),
  },
  { description: 'The saved trigger.' },
)

export const DeliveryResponse = Type.Object({
  delivery_id: Type.String(),
  received_at: integer('Epoch seconds.'),
  outcome: Type.Enum(['received', 'delayed', 'started', 'signalled', 'ignored', 'refused']),
  execution_id: maybeText('The execution that it started.'),
  error: TriggerFailure,
  replayable: flag('Whether its request is kept, so that it can be replayed.'),
})

export const ReplayedResponse = Type.Object(
  {
    success: flag('Always true: the execution is queued, or the event was sent.'),
    trigger_id: Type.String(),
    delivery_id: text('The delivery of the replay.'),
    execution_id: maybeText('The new execution; null when the trigger sends an event.'),
    event_id: maybeText('The event; null when the trigger runs a flow.'),
  },
  { description: 'The execution is queued, or the event was sent.' },
)

import { type Static, Type } from 'typebox'
import { ExecutionOptions, priorities } from '#engine'
import { schemas } from '#executions-api'
import { moment } from './values.ts'

const Priority = Type.Enum([...priorities], {
  description: 'Higher ones leave the queue sooner. Default: normal.',
})

const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))

const UserContext = Type.Object(
  {
    role: shortText('For prompts, as `{{user_context.role}}`.'),
    department: shortText('For prompts, as `{{user_context.department}}`.'),
    permissions: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 200,
        description: 'For prompts. It permits nothing: who calls decides what may be done.',
      }),
    ),
  },
  { additionalProperties: true },
)

const ProcessingOptions = Type.Object(
  {
    priority: Type.Optional(Priority),
    quality_level: Type.Optional(
      Type.Enum(['draft', 'standard', 'high', 'premium'], {
        description:
          'Texts of models below a quality of 60 (high) or 75 (premium) fail their step. Default: standard.',
      }),
    ),
    target_audience: shortText('For prompts, as `{{processing_options.target_audience}}`.'),
    seo_requirements: Type.Optional(
      Type.Boolean({ description: 'For prompts and conditions, as `processing_options.seo_requirements`.' }),
    ),
  },
  { additionalProperties: true },
)

const Metadata = Type.Object(
  {
    source: shortText('For prompts, as `{{metadata.source}}`.'),
    content_type: shortText('For prompts, as `{{metadata.content_type}}`.'),
    language: shortText('For prompts, as `{{metadata.language}}`.'),
    deadline: Type.Optional(moment('By then it must be over; else it ends with EXECUTION_TIMEOUT.')),
  },
  { additionalProperties: true },
)

const ProcessingRules = Type.Object(
  {
    batch_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Items of a group; groups follow each other. Default: 10.',
      }),
    ),
    parallel_processing: Type.Optional(
      Type.Boolean({ description: 'Whether the items of a group run side by side. Default: true.' }),
    ),
    quality_threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'The same as ai_options.quality_threshold, which wins.',
      }),
    ),
  },
  { additionalProperties: false },
)

const Context = Type.Object(
  {
    content: schemas.content('What the flow works on, as `{{content}}`.'),
    content_batch: Type.Optional(
      Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 1000,
        description:
          'Each item goes through the whole flow: a text as its `content`, an object laid over the context. One that fails does not end the others.',
      }),
    ),
    processing_rules: Type.Optional(ProcessingRules),
    user_context: Type.Optional(UserContext),
    processing_options: Type.Optional(ProcessingOptions),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: true,
    description:
      'What placeholders and conditions of the flow can read; further fields are welcome, as a flow needs them.',
  },
)

const Url = Type.String({
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]?://',
  maxLength: 2000,
  'x-means': 'must be an http or https address',
})
const webhookUrl = Type.Optional(
  Type.Unsafe<string>({
    ...Url,
    description:
      'Is sent `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret in the answer.',
  }),
)
const whenOpen = 'Where this server sends none, `warnings` in the answer says so.'

const CallbackConfig = Type.Object(
  {
    webhook_url: webhookUrl,
    notification_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description: `Is sent a mail when it is over. ${whenOpen}`,
      }),
    ),
    progress_callbacks: Type.Optional(
      Type.Boolean({ description: 'Whether it also hears of progress. Default: true.' }),
    ),
  },
  { additionalProperties: false, description: 'Whom to tell of this execution.' },
)

const upToADay = [
  String.raw`([1-9]\d{0,3}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d{2}|86400)s`,
  String.raw`([1-9]\d{0,2}|1[0-3]\d{2}|14[0-3]\d|1440)m`,
  '([1-9]|1[0-9]|2[0-4])h',
]

const Notifications = Type.Object(
  {
    progress_interval: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 1, maximum: 86_400 }),
          Type.String({
            pattern: `^(${upToADay.join('|')})$`,
            'x-means': 'must be a number and s, m or h, such as 30s, and at most 24h',
          }),
        ],
        {
          description:
            'Seconds, or a text such as `30s`, at most 24 hours: so often the webhook hears how far it is. Default: with each step, and in a batch with each item.',
        },
      ),
    ),
    webhook_url: webhookUrl,
    email_on_completion: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ format: 'email', maxLength: 320 })], {
        description: `An address that is sent a mail when it is over; \`true\`: that of \`notification_email\`, else that of the account. ${whenOpen}`,
      }),
    ),
    slack_channel: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[#@]?[\\p{L}\\p{N}._-]+$',
        'x-means': 'must be a channel such as #editors, a person such as @nora, or an id',
        description: `Is sent a message when it is over. ${whenOpen}`,
      }),
    ),
  },
  { additionalProperties: false, description: 'The same as `callback_config`, with more to say.' },
)

const optionFields = {
  ...ExecutionOptions.properties,
  priority: Type.Optional(Priority),
  callback_config: Type.Optional(CallbackConfig),
  notifications: Type.Optional(Notifications),
}

const flowFields = {
  flow_id: Type.String({ minLength: 1, maxLength: 200, description: 'The flow to run.' }),
  flow_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'One of its versions. Default: the current one.',
    }),
  ),
}

const executionMode = Type.Enum(['synchronous', 'asynchronous'], {
  description:
    'Whether the answer is the result, or comes at once while it waits in the queue. Default: synchronous.',
})

export const ExecuteFlowBody = Type.Object(
  {
    ...flowFields,
    context: Type.Optional(Context),
    options: Type.Optional(
      Type.Object(
        { execution_mode: Type.Optional(executionMode), ...optionFields },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const ExecuteFlowAsyncBody = Type.Object(
  {
    ...flowFields,
    context: Type.Optional(Context),
    options: Type.Optional(Type.Object(optionFields, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** The input of a flow that is only tried: without callbacks and notifications. */
export const TryFields = {
  context: Type.Optional(Context),
  options: Type.Optional(
    Type.Object(
      { ...ExecutionOptions.properties, priority: Type.Optional(Priority) },
      { additionalProperties: false },
    ),
  ),
}

export type ExecuteFlowBody = Static<typeof ExecuteFlowBody>
export type ExecuteFlowAsyncBody = Static<typeof ExecuteFlowAsyncBody>

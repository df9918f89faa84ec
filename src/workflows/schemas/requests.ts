import { type Static, Type } from 'typebox'
import { ExecutionOptions, priorities } from '#engine'
import { schemas } from '#executions-api'
import { moment } from './values.ts'

const Priority = Type.Enum([...priorities], {
  description: 'Executions with a higher priority leave the queue sooner. Default: normal.',
})

const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))

const UserContext = Type.Object(
  {
    role: shortText('Available in prompts as `{{user_context.role}}`.'),
    department: shortText('Available in prompts as `{{user_context.department}}`.'),
    permissions: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 200,
        description: 'Available in prompts. It grants nothing: the permissions of the caller apply.',
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
          'A step fails when its text has a quality below 60 (high) or 75 (premium). Default: standard.',
      }),
    ),
    target_audience: shortText('Available in prompts as `{{processing_options.target_audience}}`.'),
    seo_requirements: Type.Optional(
      Type.Boolean({
        description: 'Available in prompts and conditions as `processing_options.seo_requirements`.',
      }),
    ),
  },
  { additionalProperties: true },
)

const Metadata = Type.Object(
  {
    source: shortText('Available in prompts as `{{metadata.source}}`.'),
    content_type: shortText('Available in prompts as `{{metadata.content_type}}`.'),
    language: shortText('Available in prompts as `{{metadata.language}}`.'),
    deadline: Type.Optional(
      moment('The deadline. An execution that is still running then fails with EXECUTION_TIMEOUT.'),
    ),
  },
  { additionalProperties: true },
)

const ProcessingRules = Type.Object(
  {
    batch_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Items per group; groups run in sequence. Default: 10.',
      }),
    ),
    parallel_processing: Type.Optional(
      Type.Boolean({ description: 'Whether the items of a group run in parallel. Default: true.' }),
    ),
    quality_threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'The same as `ai_options.quality_threshold`, which takes precedence.',
      }),
    ),
  },
  { additionalProperties: false },
)

const Context = Type.Object(
  {
    content: schemas.content('The content that the flow processes, available as `{{content}}`.'),
    content_batch: Type.Optional(
      Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 1000,
        description:
          'Each item runs through the whole flow: a text becomes its `content`, an object is merged over the context. A failed item does not stop the others.',
      }),
    ),
    processing_rules: Type.Optional(ProcessingRules),
    user_context: Type.Optional(UserContext),
    processing_options: Type.Optional(ProcessingOptions),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: true,
    description: 'The data for placeholders and conditions of the flow. Further fields are allowed.',
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
      'Receives `execution.started`, `execution.progress`, `execution.completed` and `execution.failed`, signed with the secret of the response.',
  }),
)
const channelHint = 'A warning in the response reports a channel that is not configured.'

const CallbackConfig = Type.Object(
  {
    webhook_url: webhookUrl,
    notification_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description: `The address that receives a mail at the end of the execution. ${channelHint}`,
      }),
    ),
    progress_callbacks: Type.Optional(
      Type.Boolean({ description: 'Whether the callback receives progress events. Default: true.' }),
    ),
  },
  { additionalProperties: false, description: 'The callback and the notifications of this execution.' },
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
            'The interval of progress events: seconds, or a text such as `30s`, at most 24 hours. Default: after each step, in a batch after each item.',
        },
      ),
    ),
    webhook_url: webhookUrl,
    email_on_completion: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ format: 'email', maxLength: 320 })], {
        description: `The address that receives a mail at the end of the execution; \`true\`: \`notification_email\`, else the address of the account. ${channelHint}`,
      }),
    ),
    slack_channel: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[#@]?[\\p{L}\\p{N}._-]+$',
        'x-means': 'must be a channel such as #editors, a person such as @nora, or an id',
        description: `The Slack channel that receives a message at the end of the execution. ${channelHint}`,
      }),
    ),
  },
  { additionalProperties: false, description: 'The same as `callback_config`, with more options.' },
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
      description: 'The version to run. Default: the current version.',
    }),
  ),
}

const executionMode = Type.Enum(['synchronous', 'asynchronous'], {
  description:
    'Whether the request waits for the result or returns once the execution is queued. Default: synchronous.',
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

/** The input of a trial run of a flow: without callbacks and notifications. */
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

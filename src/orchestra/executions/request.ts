import { type Static, Type } from 'typebox'
import { priorities } from '#engine'
import { contentField } from '#runs'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))
const reference = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Integer()], { description }))

const Metadata = Type.Object(
  {
    source: shortText('Where it comes from; for prompts, as `{{metadata.source}}`.'),
    priority: Type.Optional(
      Type.Enum([...priorities], { description: 'Higher ones leave the queue sooner. Default: normal.' }),
    ),
    category: shortText('For prompts, as `{{metadata.category}}`.'),
  },
  { additionalProperties: true },
)

const Context = Type.Object(
  {
    content: contentField('What the agents work on, as `{{content}}`.'),
    user_id: reference('For whom it is, in your own system; for prompts, as `{{user_id}}`.'),
    node_id: reference('What it is about, in your own system; for prompts, as `{{node_id}}`.'),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: true,
    description: 'What placeholders of the workflow can read; further fields are welcome, as it needs them.',
  },
)

const Monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug lines to the log of the execution.'),
    track_intermediate_results: flag(
      'Whether what steps made on the way is shown and kept, not the results alone. Default: true.',
    ),
    send_progress_updates: flag('Whether `callback_url` is also sent `workflow.progress`. Default: false.'),
  },
  { additionalProperties: false },
)

const Options = Type.Object(
  {
    async: flag('Whether it is put into the queue instead of being waited for. Default: false.'),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        description: 'Seconds the whole execution may take. Default: what the workflow says, else an hour.',
      }),
    ),
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description:
          'Further tries of a step that says nothing itself. Default: what the workflow says, else none.',
      }),
    ),
    callback_url: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'uri',
        pattern: '^https?://',
        maxLength: 2000,
        'x-means': 'must be an http or https address',
        description:
          'Is sent `workflow.completed` or `workflow.failed`, signed with the secret in `callback_info`.',
      }),
    ),
    notification_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description: 'Is told of the end by mail; where no mail is sent, `warnings` says so.',
      }),
    ),
    monitoring: Type.Optional(Monitoring),
  },
  { additionalProperties: false },
)

/** What `POST /execute-workflow` takes. */
export const ExecuteWorkflowBody = Type.Object(
  {
    workflow_id: Type.String({ minLength: 1, maxLength: 200, description: 'An id of `GET /workflows`.' }),
    context: Type.Optional(Context),
    options: Type.Optional(Options),
  },
  { additionalProperties: false },
)

export type ExecuteWorkflowBody = Static<typeof ExecuteWorkflowBody>

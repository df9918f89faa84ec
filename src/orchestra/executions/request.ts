import { type Static, Type } from 'typebox'
import { priorities } from '#engine'
import { schemas } from '#executions-api'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))
const reference = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Integer()], { description }))

const Metadata = Type.Object(
  {
    source: shortText('The source of the content, available to prompts as `{{metadata.source}}`.'),
    priority: Type.Optional(
      Type.Enum([...priorities], {
        description: 'Executions with a higher priority start sooner. Default: normal.',
      }),
    ),
    category: shortText('Available to prompts as `{{metadata.category}}`.'),
  },
  { additionalProperties: true },
)

const Context = Type.Object(
  {
    content: schemas.content('The content for the agents, available as `{{content}}`.'),
    user_id: reference('A user id of your own system, available to prompts as `{{user_id}}`.'),
    node_id: reference('A content id of your own system, available to prompts as `{{node_id}}`.'),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: true,
    description: 'The data for the placeholders of the workflow. Additional fields are allowed.',
  },
)

const Monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug entries to the log of the execution.'),
    track_intermediate_results: flag(
      'Whether the outputs of all steps are kept, not only the results. Default: true.',
    ),
    send_progress_updates: flag('Whether `callback_url` also receives `workflow.progress`. Default: false.'),
  },
  { additionalProperties: false },
)

const Options = Type.Object(
  {
    async: flag('Whether to queue the execution instead of waiting for it. Default: false.'),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        description: 'Timeout of the execution in seconds. Default: that of the workflow, else one hour.',
      }),
    ),
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description:
          'Retries of steps that do not define their own. Default: those of the workflow, else none.',
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
          'Receives `workflow.completed` or `workflow.failed`, signed with the secret in `callback_info`.',
      }),
    ),
    notification_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description:
          'Receives an e-mail when the execution ends. If the server sends no e-mail, `warnings` says so.',
      }),
    ),
    monitoring: Type.Optional(Monitoring),
  },
  { additionalProperties: false },
)

export const ExecuteWorkflowBody = Type.Object(
  {
    workflow_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A workflow id of `GET /workflows`.',
    }),
    context: Type.Optional(Context),
    options: Type.Optional(Options),
  },
  { additionalProperties: false },
)

export type ExecuteWorkflowBody = Static<typeof ExecuteWorkflowBody>

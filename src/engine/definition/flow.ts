import { type Static, Type } from 'typebox'
import { oneLine, oneLineOrEmpty } from '#kernel/http'
import { failureStrategies } from './common-step.ts'
import { stepSchemas } from './step-types.ts'
import { dollars, duration, memorySize } from './values.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const errorHandling = Type.Object(
  {
    global_retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description: 'Further tries of a step that says nothing itself. Default: 0.',
      }),
    ),
    fallback_strategy: Type.Optional(
      Type.Enum([...failureStrategies], {
        description:
          'What happens when a step without `on_failure` has failed for good. `fallback` goes on without an output here. Default: `abort`.',
      }),
    ),
    notification_on_failure: flag(
      'Whether those who wait for the end of an execution hear of it when it fails. Default: true.',
    ),
  },
  { additionalProperties: false, description: 'What happens when steps fail that say nothing themselves.' },
)

const monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug lines to the log of an execution. Default: false.'),
    track_performance_metrics: flag('Whether executions count in analytics and predictions. Default: true.'),
    capture_intermediate_results: flag('Whether outputs of steps are kept after the end. Default: true.'),
  },
  { additionalProperties: false, description: 'What is kept of executions.' },
)

const resourceLimits = Type.Object(
  {
    max_execution_time: Type.Optional(
      duration(
        'How long an execution may take: seconds, or a text such as `30s`, `5m` or `1h`. Default: an hour.',
      ),
    ),
    max_memory_usage: Type.Optional(
      memorySize(
        'How much outputs and memory may hold together: megabytes, or a text such as `512MB`. Default: 64 MB.',
      ),
    ),
    max_concurrent_ai_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How many models are asked at the same time. Default: 5.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Bounds of an execution. Whoever starts one may set tighter ones.',
  },
)

const costControls = Type.Object(
  {
    max_total_cost: Type.Optional(
      dollars('Most dollars that an execution may cost. Default: only the budget of the account counts.'),
    ),
    cost_alerts: Type.Optional(
      Type.Array(dollars('Dollars.'), {
        maxItems: 20,
        description: 'Dollars. Each is told once, when the cost of an execution reaches it.',
      }),
    ),
    auto_abort_on_budget_exceeded: flag(
      'Whether the call that could pass `max_total_cost` is not made and the execution fails. `false` warns and goes on. Default: true.',
    ),
  },
  { additionalProperties: false, description: 'What an execution may cost.' },
)

const GlobalConfiguration = Type.Object(
  {
    agent_routing_enabled: flag('Whether steps with `agent_routing` may decide at all. Default: true.'),
    shared_memory_persistent: flag(
      'Whether the next execution by the same account begins with the memory this one ends with. Default: false.',
    ),
    error_handling: Type.Optional(errorHandling),
    monitoring: Type.Optional(monitoring),
    resource_limits: Type.Optional(resourceLimits),
    cost_controls: Type.Optional(costControls),
  },
  { additionalProperties: false, description: 'What holds for every execution of the flow.' },
)

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))

const flowIdPattern = '^[a-z0-9][a-z0-9_-]{0,63}$'

const head = {
  id: Type.String({
    pattern: flowIdPattern,
    'x-means': 'must be up to 64 lower-case letters, digits, hyphens and underscores',
    description: 'Names the flow in addresses and requests. It stays as it is once the flow is saved.',
  }),
  label: Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'What people call it.' }),
  description: text(5000, 'What it is for.'),
  version: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$',
      'x-means': 'must be up to 32 letters, digits, dots, plus signs and hyphens, such as 1.0.0',
      description: 'What its author calls this version. Default: the number of the version.',
    }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: 64,
      ...oneLineOrEmpty,
      description: 'What kind of flow it is, such as `content`.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, ...oneLine }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'Words it is found by. Lists can be narrowed to one.',
    }),
  ),
  global_configuration: Type.Optional(GlobalConfiguration),
}

const mostSteps = 500
const aboutSteps = 'What it does. Steps that wait for nothing begin side by side.'

export const FlowDefinition = Type.Object(
  {
    ...head,
    steps: Type.Array(
      Type.Union([
        stepSchemas.ai_prompt,
        stepSchemas.conditional,
        stepSchemas.external_api,
        stepSchemas.data_transform,
        stepSchemas.agent,
      ]),
      { minItems: 1, maxItems: mostSteps, description: aboutSteps },
    ),
  },
  {
    additionalProperties: false,
    description: 'A flow: its name, its steps, and what holds for all of them.',
  },
)

/** The same with steps unread: each is checked against its own type afterwards, so that a mistake is told once and not four times. */
export const FlowFrame = Type.Object(
  { ...head, steps: Type.Array(Type.Unknown(), { minItems: 1, maxItems: mostSteps }) },
  { additionalProperties: false },
)

export type FlowDefinition = Static<typeof FlowDefinition>

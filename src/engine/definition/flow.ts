import { type Static, Type } from 'typebox'
import { oneLine, oneLineOrEmpty } from '#kernel/http'
import { failureStrategies } from './common-step.ts'
import { FlowControl } from './flow-control.ts'
import { stepSchemas } from './step-types.ts'
import { dollars, duration, flowId, memorySize } from './values.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const errorHandling = Type.Object(
  {
    global_retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description: 'Retries of steps without a `retry_config`. Default: 0.',
      }),
    ),
    fallback_strategy: Type.Optional(
      Type.Enum([...failureStrategies], {
        description:
          'What happens when all attempts of a step without `on_failure` have failed. `fallback` continues without an output here. Default: `abort`.',
      }),
    ),
    notification_on_failure: flag('Whether a notification is sent when an execution fails. Default: true.'),
  },
  { additionalProperties: false, description: 'Error handling of steps without their own.' },
)

const monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug entries to the log of an execution. Default: false.'),
    track_performance_metrics: flag('Whether executions count in analytics and predictions. Default: true.'),
    capture_intermediate_results: flag(
      'Whether the outputs of steps are kept after the execution ends. Default: true.',
    ),
  },
  { additionalProperties: false, description: 'What is stored of executions.' },
)

const resourceLimits = Type.Object(
  {
    max_execution_time: Type.Optional(
      duration(
        'The timeout of an execution: seconds, or a text such as `30s`, `5m` or `1h`. Default: one hour.',
      ),
    ),
    max_memory_usage: Type.Optional(
      memorySize(
        'The maximum size of outputs and memory together: megabytes, or a text such as `512MB`. Default: 64 MB.',
      ),
    ),
    max_concurrent_ai_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'The maximum number of parallel model calls. Default: 5.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Limits of an execution. A request may set tighter ones.',
  },
)

const costControls = Type.Object(
  {
    max_total_cost: Type.Optional(
      dollars(
        'The maximum cost of an execution, in dollars. Default: only the budget of the account applies.',
      ),
    ),
    cost_alerts: Type.Optional(
      Type.Array(dollars('Dollars.'), {
        maxItems: 20,
        description: 'Thresholds in dollars. Each sends one alert, when the cost of an execution reaches it.',
      }),
    ),
    auto_abort_on_budget_exceeded: flag(
      'Whether an execution fails instead of making a call that could exceed `max_total_cost`. `false` warns and continues. Default: true.',
    ),
  },
  { additionalProperties: false, description: 'Cost limits of an execution.' },
)

const GlobalConfiguration = Type.Object(
  {
    agent_routing_enabled: flag(
      'Whether agents of steps with `agent_routing` choose options. Default: true.',
    ),
    allow_builtin_fallback: flag(
      'Whether `builtin:text`, which analyses texts and follows no prompt, may respond to steps that name no model when no language model is available. `warnings` lists these steps. Default: false.',
    ),
    shared_memory_persistent: flag(
      'Whether the next execution of the same account starts with the shared memory of this one. Default: false.',
    ),
    error_handling: Type.Optional(errorHandling),
    monitoring: Type.Optional(monitoring),
    resource_limits: Type.Optional(resourceLimits),
    cost_controls: Type.Optional(costControls),
    flow_control: Type.Optional(FlowControl),
  },
  { additionalProperties: false, description: 'Settings of all executions of the flow.' },
)

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))

const head = {
  id: flowId('The id of the flow, used in URLs and requests. It cannot be changed after the flow is saved.'),
  label: Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'The display name.' }),
  description: text(5000, 'The purpose of the flow.'),
  version: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$',
      'x-means': 'must be up to 32 letters, digits, dots, plus signs and hyphens, such as 1.0.0',
      description: 'The name of this version. Default: the number of the version.',
    }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: 64,
      ...oneLineOrEmpty,
      description: 'The category of the flow, such as `content`.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, ...oneLine }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'Tags. Lists can be filtered by a tag.',
    }),
  ),
  global_configuration: Type.Optional(GlobalConfiguration),
}

/** With the steps inside containers. */
export const maxSteps = 500
const aboutSteps = 'The steps. Steps without dependencies start in parallel.'

/** The schema of a flow definition. */
export const FlowDefinition = Type.Object(
  {
    ...head,
    steps: Type.Array(Type.Union(stepSchemas), {
      minItems: 1,
      maxItems: maxSteps,
      description: aboutSteps,
    }),
  },
  {
    additionalProperties: false,
    description: 'A flow: its name, its steps and its settings.',
  },
)

/** The schema without steps: each step is checked against its own type afterwards, so that a problem is reported once, not once per type. */
export const FlowFrame = Type.Object(
  { ...head, steps: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxSteps }) },
  { additionalProperties: false },
)

export type FlowDefinition = Static<typeof FlowDefinition>

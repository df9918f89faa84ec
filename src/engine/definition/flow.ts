import { type Static, Type } from 'typebox'
import {
  AgentStep,
  AiPromptStep,
  ConditionalStep,
  DataTransformStep,
  ExternalApiStep,
  failureStrategies,
} from './step-types.ts'
import { Dollars, Duration, MemorySize } from './values.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const GlobalConfiguration = Type.Object(
  {
    agent_routing_enabled: flag('Whether steps with `agent_routing` may decide at all. Default: true.'),
    shared_memory_persistent: flag(
      'Whether the next execution by the same account begins with the memory this one ends with.',
    ),
    error_handling: Type.Optional(
      Type.Object(
        {
          global_retry_attempts: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 19,
              description: 'Further tries of a step that says nothing itself.',
            }),
          ),
          fallback_strategy: Type.Optional(
            Type.Enum([...failureStrategies], { description: 'For steps without `on_failure`.' }),
          ),
          notification_on_failure: flag('Whether the owner is notified when an execution fails.'),
        },
        { additionalProperties: false },
      ),
    ),
    monitoring: Type.Optional(
      Type.Object(
        {
          enable_detailed_logging: flag('Adds debug lines to the log of an execution.'),
          track_performance_metrics: flag(
            'Whether executions count in analytics and predictions. Default: true.',
          ),
          capture_intermediate_results: flag(
            'Whether outputs of steps are kept after the end. Default: true.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    resource_limits: Type.Optional(
      Type.Object(
        {
          max_execution_time: Type.Optional(Duration),
          max_memory_usage: Type.Optional(MemorySize),
          max_concurrent_ai_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        },
        { additionalProperties: false },
      ),
    ),
    cost_controls: Type.Optional(
      Type.Object(
        {
          max_total_cost: Type.Optional(Dollars),
          cost_alerts: Type.Optional(
            Type.Array(Dollars, {
              maxItems: 20,
              description: 'Each is told once, when the cost of an execution reaches it.',
            }),
          ),
          auto_abort_on_budget_exceeded: flag(
            'Whether the call that could pass `max_total_cost` is not made and the execution fails. `false` warns and goes on. Default: true.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))

const flowIdPattern = '^[a-z0-9][a-z0-9_-]{0,63}$'

const head = {
  id: Type.String({
    pattern: flowIdPattern,
    'x-means': 'must be up to 64 lower-case letters, digits, hyphens and underscores',
    description: 'Names the flow.',
  }),
  label: Type.String({ minLength: 1, maxLength: 200 }),
  description: text(5000, 'What it is for.'),
  version: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$',
      'x-means': 'must be up to 32 letters, digits, dots, plus signs and hyphens, such as 1.0.0',
      description: 'What its author calls this version. Default: the number of the version.',
    }),
  ),
  category: text(64, 'What kind of flow it is.'),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50, uniqueItems: true }),
  ),
  global_configuration: Type.Optional(GlobalConfiguration),
}

const mostSteps = 500

export const FlowDefinition = Type.Object(
  {
    ...head,
    steps: Type.Array(
      Type.Union([AiPromptStep, ConditionalStep, ExternalApiStep, DataTransformStep, AgentStep]),
      {
        minItems: 1,
        maxItems: mostSteps,
      },
    ),
  },
  { additionalProperties: false },
)

/** The same with steps unread: each is checked against its own type afterwards, so that a mistake is told once and not four times. */
export const FlowFrame = Type.Object(
  { ...head, steps: Type.Array(Type.Unknown(), { minItems: 1, maxItems: mostSteps }) },
  { additionalProperties: false },
)

export type FlowDefinition = Static<typeof FlowDefinition>

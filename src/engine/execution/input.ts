import { type Static, Type } from 'typebox'
import { failureStrategies } from '../definition/common-step.ts'
import { Dollars, Duration, MemorySize } from '../definition/values.ts'
import type { Recording } from '../steps/replay-steps.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** The priorities of executions, the lowest first. */
export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

const Monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug entries to the log of the execution.'),
    track_intermediate_results: flag(
      'Whether the outputs of steps are kept after the execution ends. Default: true.',
    ),
    send_progress_updates: flag('Whether callbacks also report progress, not only the start and the end.'),
    capture_agent_decisions: flag('Whether agent decisions are stored with their reasons. Default: true.'),
  },
  { additionalProperties: false },
)

const AiOptions = Type.Object(
  {
    preferred_providers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        description:
          'Providers to try first, for steps that name no model. `warnings` lists the steps for which none of them was used, and why.',
      }),
    ),
    fallback_enabled: flag(
      'Whether another provider may be used when the first one is unavailable; the last one is `builtin:text`, which analyses texts and follows no prompt.',
    ),
    cost_limit: Type.Optional(Dollars),
    quality_threshold: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: 'Minimum quality of texts that models write.' }),
    ),
  },
  { additionalProperties: false },
)

const ErrorHandling = Type.Object(
  {
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description: 'Retries of a step that has no `retry_config` of its own.',
      }),
    ),
    retry_delay: Type.Optional(
      Type.Number({ minimum: 0, maximum: 3600, description: 'Seconds before the first retry.' }),
    ),
    fallback_strategy: Type.Optional(Type.Enum([...failureStrategies])),
    notification_on_failure: flag('Whether a notification is sent when the execution fails.'),
  },
  { additionalProperties: false },
)

const RetryConfig = Type.Object(
  {
    max_attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    exponential_backoff: flag('Whether each further delay is twice as long. Default: true.'),
    retry_on_provider_error: flag('Whether an unavailable provider is retried. Default: true.'),
  },
  { additionalProperties: false },
)

const ResourceLimits = Type.Object(
  {
    max_memory: Type.Optional(MemorySize),
    max_concurrent_ai_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
)

/** The options of an execution, the same for every endpoint that starts one. */
export const ExecutionOptions = Type.Object(
  {
    monitoring: Type.Optional(Monitoring),
    ai_options: Type.Optional(AiOptions),
    error_handling: Type.Optional(ErrorHandling),
    retry_config: Type.Optional(RetryConfig),
    resource_limits: Type.Optional(ResourceLimits),
    max_execution_time: Type.Optional(Duration),
  },
  { additionalProperties: false },
)

export type ExecutionOptions = Static<typeof ExecutionOptions>

/** Items that each run through the whole flow. */
interface Batch {
  readonly items: readonly unknown[]
  /** Items per group. Groups run one after the other. */
  readonly size: number
  /** Whether the items of a group run in parallel. */
  readonly parallel: boolean
}

/** Changes that a recovery made to the execution. */
interface Recovery {
  /** Providers that are no longer used. */
  readonly avoided_providers?: readonly string[] | undefined
  /** Steps that name a model of such a provider may use another one, regardless of `fallback_enabled`. */
  readonly others_may_answer?: true | undefined
  /** The raised budget in whole micro-dollars, in place of the limits of the flow and the request. */
  readonly budget?: number | undefined
  /** The ids of the last requests that recovered it. */
  readonly requests?: readonly string[] | undefined
}

/** The input of an execution. */
export interface ExecutionInput {
  readonly context: Readonly<Record<string, unknown>>
  readonly options: ExecutionOptions
  /** The shared memory it starts with. */
  readonly memory: Readonly<Record<string, unknown>>
  readonly batch?: Batch | undefined
  /** Callback URLs and their options, as in the request. */
  readonly callbacks?: Readonly<Record<string, unknown>> | undefined
  readonly recovery?: Recovery | undefined
  /** Answers of steps with effects, which are replayed instead of calling anything. */
  readonly replay?: Recording | undefined
  /** How many executions started each other by triggers, up to this one. */
  readonly trigger_depth?: number | undefined
}

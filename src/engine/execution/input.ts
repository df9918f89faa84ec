import { type Static, Type } from 'typebox'
import { failureStrategies } from '../definition/common-step.ts'
import { Dollars, Duration, MemorySize } from '../definition/values.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

const Monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug lines to the log of the execution.'),
    track_intermediate_results: flag('Whether outputs of steps are kept after the end. Default: true.'),
    send_progress_updates: flag(
      'Whether callbacks tell of progress as well, not of beginning and end alone.',
    ),
    capture_agent_decisions: flag('Whether decisions are kept with their reasons. Default: true.'),
  },
  { additionalProperties: false },
)

const AiOptions = Type.Object(
  {
    preferred_providers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        description:
          'Providers to ask first, for steps that name no model. `warnings` says where none of them answered, and why.',
      }),
    ),
    fallback_enabled: flag('Whether another provider may answer when the one that was asked cannot.'),
    cost_limit: Type.Optional(Dollars),
    quality_threshold: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: 'Lowest quality of texts that models write.' }),
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
        description: 'Further tries of a step that says nothing itself.',
      }),
    ),
    retry_delay: Type.Optional(
      Type.Number({ minimum: 0, maximum: 3600, description: 'Seconds before the first of them.' }),
    ),
    fallback_strategy: Type.Optional(Type.Enum([...failureStrategies])),
    notification_on_failure: flag('Whether whoever is to be notified is told when it fails.'),
  },
  { additionalProperties: false },
)

const RetryConfig = Type.Object(
  {
    max_attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    exponential_backoff: flag('Whether each further pause is twice as long. Default: true.'),
    retry_on_provider_error: flag('Whether a provider that cannot be asked is asked again. Default: true.'),
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

/** How an execution is to run, whichever endpoint it came by. */
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

/** Items that each go through the whole flow. */
interface Batch {
  readonly items: readonly unknown[]
  /** How many are in a group; groups follow each other. */
  readonly size: number
  /** Whether the items of a group run side by side. */
  readonly parallel: boolean
}

/** What somebody who recovered the execution wants to be different. */
interface Recovery {
  /** Providers that are not asked any more. */
  readonly avoided_providers: readonly string[]
  /** Others may answer for a step that names a model of such a provider, whatever the options say. */
  readonly others_may_answer: true
}

/** What an execution was given. */
export interface ExecutionInput {
  readonly context: Readonly<Record<string, unknown>>
  readonly options: ExecutionOptions
  /** The shared memory it begins with. */
  readonly memory: Readonly<Record<string, unknown>>
  readonly batch?: Batch | undefined
  /** Who wants to be told of it, as the caller wrote it. */
  readonly callbacks?: Readonly<Record<string, unknown>> | undefined
  readonly recovery?: Recovery | undefined
}

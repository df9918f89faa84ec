import type { StoredError } from '../store/commit.ts'

/**
 * Why a step failed.
 *
 * | code                   | retried                                    | meaning                                         |
 * |------------------------|--------------------------------------------|-------------------------------------------------|
 * | PROVIDER_UNAVAILABLE   | unless `retry_on_provider_error` is false  | no provider responded                           |
 * | VALIDATION_FAILED      | with `retry_on_validation_failure`         | the output failed the validation of the step    |
 * | STEP_DEPENDENCY_FAILED | no                                         | it needs the output of a failed step            |
 * | AGENT_DECISION_ERROR   | yes                                        | no routing option could be chosen               |
 * | EXTERNAL_API_FAILED    | yes                                        | the call failed                                 |
 * | EXTERNAL_API_REFUSED   | no                                         | the outbound guard does not allow the URL       |
 * | MISSING_VALUE          | no                                         | a call that writes has a placeholder without value |
 * | SECRET_NOT_FOUND       | no                                         | it names an unknown secret or connection        |
 * | INSUFFICIENT_CREDITS   | no; ends the execution, or its scope       | the call could exceed a budget                  |
 * | MEMORY_LIMIT_EXCEEDED  | no; ends the execution                     | outputs exceed a memory limit                   |
 * | WAIT_TIMED_OUT         | no                                         | an answer or event did not arrive in time       |
 * | LOOP_EXHAUSTED         | no                                         | a loop reached its maximum number of iterations |
 * | TOOL_LIMIT_EXCEEDED    | no                                         | an agent with tools reached one of its limits   |
 * | INVALID_STEP           | no                                         | the step cannot run with this data              |
 * | EXPRESSION_FAILED      | no                                         | an expression failed, or exceeded a limit       |
 * | RECORDING_MISSING      | no; ends the execution                     | a replayed execution has no answer for the step |
 */
export type StepFailureCode =
  | 'PROVIDER_UNAVAILABLE'
  | 'VALIDATION_FAILED'
  | 'STEP_DEPENDENCY_FAILED'
  | 'AGENT_DECISION_ERROR'
  | 'EXTERNAL_API_FAILED'
  | 'EXTERNAL_API_REFUSED'
  | 'MISSING_VALUE'
  | 'SECRET_NOT_FOUND'
  | 'INSUFFICIENT_CREDITS'
  | 'MEMORY_LIMIT_EXCEEDED'
  | 'WAIT_TIMED_OUT'
  | 'LOOP_EXHAUSTED'
  | 'TOOL_LIMIT_EXCEEDED'
  | 'INVALID_STEP'
  | 'EXPRESSION_FAILED'
  | 'RECORDING_MISSING'

interface StepFailureOptions {
  readonly code: StepFailureCode
  /** The cause of the failure and how to fix it. */
  readonly message: string
  readonly provider?: string | undefined
  /** The minimum delay before a retry. */
  readonly retryAfterMs?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The resources used until the failure. */
  readonly usage?: StepUsage | undefined
  readonly cause?: unknown
}

/** The failure of a step. Its code decides whether the step is retried: see the table above. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly code: StepFailureCode
  readonly provider: string | undefined
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly usage: StepUsage | undefined

  constructor({ code, message, provider, retryAfterMs, details = {}, usage, cause }: StepFailureOptions) {
    super(message, { cause })
    this.code = code
    this.provider = provider
    this.retryAfterMs = retryAfterMs
    this.details = details
    this.usage = usage
  }

  /** A copy with the resources used until the failure. */
  withUsage(usage: StepUsage): StepFailure {
    const { code, message, provider, retryAfterMs, details, cause } = this
    return new StepFailure({ code, message, provider, retryAfterMs, details, cause, usage })
  }
}

const endsExecution: ReadonlySet<string> = new Set<StepFailureCode>([
  'INSUFFICIENT_CREDITS',
  'MEMORY_LIMIT_EXCEEDED',
  'RECORDING_MISSING',
])

/**
 * Whether the failure ends the execution regardless of `on_failure`: a limit of the whole execution was reached. The limit of a scope,
 * which `details.scope` names, is none: the scope fails, and the execution goes on.
 */
export function isFatal({ code, details }: Pick<StoredError, 'code' | 'details'>): boolean {
  return endsExecution.has(code) && details?.['scope'] === undefined
}

/** The resources a step used. */
export interface StepUsage {
  readonly provider: string | null
  readonly model: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whole micro-dollars; null when a model without a price was used. */
  readonly microDollars: number | null
  readonly aiCalls: number
  readonly cacheHits: number
  readonly networkRequests: number
  readonly aiMs: number
  readonly apiMs: number
}

export const noUsage: StepUsage = {
  provider: null,
  model: null,
  inputTokens: 0,
  outputTokens: 0,
  microDollars: 0,
  aiCalls: 0,
  cacheHits: 0,
  networkRequests: 0,
  aiMs: 0,
  apiMs: 0,
}

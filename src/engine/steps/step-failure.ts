import type { StepUsage } from './step-run.ts'

/**
 * Why a step did not succeed.
 *
 * | code                   | tried again                                | is                                              |
 * |------------------------|--------------------------------------------|-------------------------------------------------|
 * | PROVIDER_UNAVAILABLE   | unless the execution says otherwise        | no provider answered                            |
 * | VALIDATION_FAILED      | with `retry_on_validation_failure`         | the output is not what the step asks for        |
 * | STEP_DEPENDENCY_FAILED | no                                         | it needs the output of a step that failed       |
 * | AGENT_DECISION_ERROR   | yes                                        | no option could be chosen                       |
 * | EXTERNAL_API_FAILED    | yes                                        | the call did not succeed                        |
 * | EXTERNAL_API_REFUSED   | no                                         | the address may not be called                   |
 * | INSUFFICIENT_CREDITS   | no; ends the execution                     | the call could pass a budget                    |
 * | MEMORY_LIMIT_EXCEEDED  | no; ends the execution                     | outputs take more room than allowed             |
 * | INVALID_STEP           | no                                         | the step cannot do what it says, with this data |
 */
export type StepFailureCode =
  | 'PROVIDER_UNAVAILABLE'
  | 'VALIDATION_FAILED'
  | 'STEP_DEPENDENCY_FAILED'
  | 'AGENT_DECISION_ERROR'
  | 'EXTERNAL_API_FAILED'
  | 'EXTERNAL_API_REFUSED'
  | 'INSUFFICIENT_CREDITS'
  | 'MEMORY_LIMIT_EXCEEDED'
  | 'INVALID_STEP'

interface StepFailureOptions {
  readonly code: StepFailureCode
  /** For people: what happened and what to do. */
  readonly message: string
  readonly provider?: string | undefined
  /** Not before this long. */
  readonly retryAfterMs?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** What was used although it failed. */
  readonly usage?: StepUsage | undefined
  readonly cause?: unknown
}

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
}

/** The same failure, with what was used until then. */
export function withUsage(failure: StepFailure, usage: StepUsage): StepFailure {
  const { code, message, provider, retryAfterMs, details, cause } = failure
  return new StepFailure({ code, message, provider, retryAfterMs, details, cause, usage })
}

const endsExecution: ReadonlySet<string> = new Set<StepFailureCode>([
  'INSUFFICIENT_CREDITS',
  'MEMORY_LIMIT_EXCEEDED',
])

/** Whether no `on_failure` can go on after it: a bound of the whole execution was reached. */
export function isFatalCode(code: string): boolean {
  return endsExecution.has(code)
}

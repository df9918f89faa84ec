import type { failureStrategies } from '../definition/common-step.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { callsModels, type Step } from '../definition/step-types.ts'
import { durationMs, memoryBytes, microDollars } from '../definition/values.ts'
import type { Graph } from '../graph/graph.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { ExecutionInput } from './input.ts'

type FailureStrategy = (typeof failureStrategies)[number]

/** The limits and policies of one execution, from its flow and its request. The tighter limit applies; for choices, the request's. */
export interface Rules {
  /** The timeout, from the start of the execution. */
  readonly maxMs: number
  readonly maxBytes: number
  readonly maxAiCalls: number
  /** Whole micro-dollars; null: only the daily budget of the account applies. */
  readonly budget: number | null
  readonly abortsOverBudget: boolean
  /** Whole micro-dollars, ascending. */
  readonly costAlerts: readonly number[]
  readonly attemptsOf: (step: Step) => number
  readonly onFailureOf: (step: Step) => FailureStrategy
  readonly pauseMsBefore: (attempt: number) => number
  readonly retriesProviders: boolean
  readonly preferredProviders: readonly string[]
  /** Providers that a recovery excluded. */
  readonly avoidedProviders: readonly string[]
  readonly mayFallBack: boolean
  /** Whether the built-in provider may respond when no language model is available. */
  readonly mayUseBuiltin: boolean
  readonly routes: boolean
  /** Minimum quality of texts that models write, 0 to 100; null: no minimum. */
  readonly minQuality: number | null
  readonly logsDetails: boolean
  readonly keepsOutputs: boolean
  readonly keepsDecisions: boolean
  readonly keepsMemory: boolean
  readonly counts: boolean
}

const defaults = { maxMs: 3_600_000, maxBytes: 64 * 1024 * 1024, maxAiCalls: 5, pauseMs: 1000 }

const maxPauseMs = 300_000

/** The minimum score of each `quality_level`. */
const minQualityOf: Readonly<Record<string, number | null>> = {
  draft: null,
  standard: null,
  high: 60,
  premium: 75,
}

/** Derives the rules of an execution. `startedAt` is when its timeout begins to count. Never throws for a valid definition and input. */
export function rulesOf(
  { global_configuration: flow = {} }: Pick<FlowDefinition, 'global_configuration'>,
  { context, options, recovery }: Pick<ExecutionInput, 'context' | 'options' | 'recovery'>,
  startedAt: Date,
): Rules {
  const {
    resource_limits: flowLimits = {},
    cost_controls: costs = {},
    monitoring: flowMonitoring = {},
  } = flow
  const {
    ai_options: ai = {},
    error_handling: errors = {},
    retry_config: retries = {},
    monitoring = {},
  } = options
  const limits = options.resource_limits ?? {}
  const firstPauseMs = errors.retry_delay === undefined ? defaults.pauseMs : errors.retry_delay * 1000
  const attempts =
    retries.max_attempts ??
    attemptsWith(errors.retry_attempts) ??
    attemptsWith(flow.error_handling?.global_retry_attempts) ??
    1
  const mayFallBack = recovery?.others_may_answer ?? ai.fallback_enabled ?? false
  const strategy = errors.fallback_strategy ?? flow.error_handling?.fallback_strategy ?? 'abort'
  return {
    maxMs: Math.min(
      smallest(
        [flowLimits.max_execution_time, options.max_execution_time].map((time) =>
          time === undefined ? undefined : durationMs(time),
        ),
      ) ?? defaults.maxMs,
      timeUntilDeadline(context, startedAt) ?? Number.POSITIVE_INFINITY,
    ),
    maxBytes:
      smallest(
        [flowLimits.max_memory_usage, limits.max_memory].map((size) =>
          size === undefined ? undefined : memoryBytes(size),
        ),
      ) ?? defaults.maxBytes,
    maxAiCalls:
      smallest([flowLimits.max_concurrent_ai_calls, limits.max_concurrent_ai_calls]) ?? defaults.maxAiCalls,
    budget:
      recovery?.budget ??
      smallest(
        [costs.max_total_cost, ai.cost_limit].map((cost) =>
          cost === undefined ? undefined : microDollars(cost),
        ),
      ) ??
      null,
    abortsOverBudget: costs.auto_abort_on_budget_exceeded ?? true,
    costAlerts: (costs.cost_alerts ?? []).map(microDollars).sort((left, right) => left - right),
    attemptsOf: (step) => step.retry_config?.max_attempts ?? attempts,
    onFailureOf: (step) => step.error_handling?.on_failure ?? strategyFor(strategy, step),
    pauseMsBefore: (attempt) =>
      Math.min(firstPauseMs * ((retries.exponential_backoff ?? true) ? 2 ** (attempt - 2) : 1), maxPauseMs),
    retriesProviders: retries.retry_on_provider_error ?? true,
    preferredProviders: ai.preferred_providers ?? [],
    avoidedProviders: recovery?.avoided_providers ?? [],
    mayFallBack,
    mayUseBuiltin: mayFallBack || (flow.allow_builtin_fallback ?? false),
    routes: flow.agent_routing_enabled ?? true,
    minQuality: ai.quality_threshold ?? requestedQuality(context),
    logsDetails: monitoring.enable_detailed_logging ?? flowMonitoring.enable_detailed_logging ?? false,
    keepsOutputs:
      monitoring.track_intermediate_results ?? flowMonitoring.capture_intermediate_results ?? true,
    keepsDecisions: monitoring.capture_agent_decisions ?? true,
    keepsMemory: flow.shared_memory_persistent ?? false,
    counts: flowMonitoring.track_performance_metrics ?? true,
  }
}

/** The rules inside a flow that a step runs: limits and options are those of the execution, how its steps behave is up to the flow. */
export function rulesInside(around: Rules, own: Rules): Rules {
  const { attemptsOf, onFailureOf, mayUseBuiltin, routes } = own
  return { ...around, attemptsOf, onFailureOf, mayUseBuiltin, routes }
}

function attemptsWith(retries: number | undefined): number | undefined {
  return retries === undefined ? undefined : retries + 1
}

function smallest(given: (number | undefined)[]): number | undefined {
  const numbers = given.filter((number) => number !== undefined)
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

/** The flow's failure strategy, limited to what the step supports: other providers exist for models only, a fallback for texts only. */
function strategyFor(strategy: FailureStrategy, step: Step): FailureStrategy {
  if (strategy === 'retry_with_different_provider' && !callsModels(step)) return 'abort'
  return strategy === 'fallback' ? 'continue' : strategy
}

function timeUntilDeadline(context: ExecutionInput['context'], startedAt: Date): number | undefined {
  const deadline = textAt(context, 'metadata', 'deadline')
  const time = deadline === undefined ? Number.NaN : Date.parse(deadline)
  return Number.isNaN(time) ? undefined : Math.max(0, time - startedAt.getTime())
}

function requestedQuality(context: ExecutionInput['context']): number | null {
  return minQualityOf[textAt(context, 'processing_options', 'quality_level') ?? 'standard'] ?? null
}

function textAt(context: ExecutionInput['context'], group: string, field: string): string | undefined {
  const inner = context[group]
  const value =
    typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[field] : undefined
  return typeof value === 'string' ? value : undefined
}

/**
 * The steps whose outputs are kept when an execution ends: with `track_intermediate_results: false` only those that no other step
 * depends on, which are the result. Undefined: all outputs are kept, always so for a failed execution, because it may be recovered.
 */
export function keptOutputs({
  rules,
  graph: { nodes, next },
  status,
}: {
  readonly rules: Pick<Rules, 'keepsOutputs'>
  readonly graph: Graph
  readonly status: 'completed' | 'failed' | 'cancelled'
}): readonly string[] | undefined {
  if (rules.keepsOutputs || status === 'failed') return undefined
  return nodes.filter(({ id }) => next(id).length === 0).map(({ id }) => id)
}

/** Limits how many bytes an execution holds. All items of a batch share it. */
export interface MemoryBudget {
  /** Throws MEMORY_LIMIT_EXCEEDED when fewer bytes are left. */
  reserve(bytes: number, what: string): void
  release(bytes: number): void
  peakBytes(): number
}

export function createMemoryBudget(limitBytes: number): MemoryBudget {
  let reserved = 0
  let peak = 0
  return {
    reserve(bytes, what) {
      if (reserved + bytes > limitBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `With ${what} the execution holds ${megabytes(reserved + bytes)}; its limit is ${megabytes(limitBytes)}. Raise max_memory, or return less.`,
          details: { bytes, limit_bytes: limitBytes },
        })
      }
      reserved += bytes
      peak = Math.max(peak, reserved)
    },
    release(bytes) {
      reserved -= bytes
    },
    peakBytes: () => peak,
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
